import type { Json, PythonFunction } from '../types.ts'
import type { Invocation } from './free-form.ts'

/** How a function of a script is called. The arguments have been validated. */
export function buildPythonFunction(
  convention: PythonFunction,
  args: { readonly [name: string]: Json },
): Invocation & { readonly stdin: string } {
  const given = convention.parameters.filter(({ name }) => args[name] !== undefined)
  const values = Object.fromEntries(given.map(({ name }) => [name, args[name]]))
  return { launcher: ['-c', LAUNCHER], argv: [convention.function], stdin: JSON.stringify(values) }
}

/** Loads the file without running its main part. Texts become paths or enum members where the function wants them. */
const LAUNCHER = `
import asyncio, enum, inspect, json, os, pathlib, runpy, sys, typing

path, name = sys.argv[1:3]
values = json.load(sys.stdin)
sys.argv = [path]
sys.path[0] = os.path.dirname(os.path.abspath(path))
function = runpy.run_path(path, run_name="skillwright")[name]
try:
    hints = typing.get_type_hints(function)
except Exception:
    hints = {}

def fitted(value, hint):
    for wanted in (hint, *typing.get_args(hint)):
        if isinstance(wanted, type) and value is not None:
            if issubclass(wanted, enum.Enum) or (issubclass(wanted, pathlib.PurePath) and isinstance(value, str)):
                return wanted(value)
    return value

result = function(**{key: fitted(value, hints.get(key)) for key, value in values.items()})
if inspect.isawaitable(result):
    async def wait():
        return await result
    result = asyncio.run(wait())
if isinstance(result, str):
    print(result)
elif result is not None:
    print(json.dumps(result, ensure_ascii=False, default=str))
`
