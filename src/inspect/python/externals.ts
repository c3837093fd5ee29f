// Functions outside the skill: what they answer is known, or depends on the place, or is not known.
import { createParser } from './argparse-calls.ts'
import { callBuiltin } from './builtins.ts'
import { callFunction, handOver } from './call.ts'
import { callFramework } from './cli-calls.ts'
import { itemsOf } from './evaluate.ts'
import type { Arguments, Machine } from './machine.ts'
import { RAISED } from './machine.ts'
import { isStandardModule } from './standard-modules.ts'
import { NONE, RUNTIME, text, toText, UNKNOWN, unsure, type Value } from './values.ts'

export function callExternal(path: string, args: Arguments, machine: Machine, at: number): Value {
  const [first, second] = args.positional
  const framework = callFramework(path, args, machine, at)
  if (framework) return framework
  switch (path) {
    case 'sys.exit':
    case 'exit':
    case 'quit':
    case 'os._exit':
      throw RAISED
    case 'os.getenv':
    case 'os.environ.get':
      return {
        kind: 'runtime',
        from: (first && toText(first)) ?? '',
        fallback: second ?? args.named.get('default') ?? NONE,
      }
    case 'textwrap.dedent':
      return first?.kind === 'str' ? text(dedent(first.value)) : unsure(first ?? UNKNOWN)
    case 'pathlib.Path':
    case 'pathlib.PurePath':
    case 'os.path.join':
      return joinPath(path, args.positional)
    case 'copy.copy':
    case 'copy.deepcopy':
    case 'typing.get_args':
    case 'typing.cast':
      return (path === 'typing.cast' ? second : first) ?? UNKNOWN
    case 'dataclasses.field':
      return args.named.get('default') ?? UNKNOWN
    case 'collections.OrderedDict':
      return callBuiltin('dict', args, machine) ?? UNKNOWN
    case 'argcomplete.autocomplete':
      return NONE
    case 'exec':
    case 'eval':
      machine.doubts.push({ message: `The script runs code that it makes up (\`${path}\`).`, at })
      return UNKNOWN
    case 'collections.namedtuple':
      return namedTuple(first, second)
    case 'argparse.ArgumentParser':
      return createParser(args, machine, at)
    case 'argparse.FileType':
    case 'functools.partial':
    case 'operator.attrgetter':
      // Something to call later; as the type of an argument its name is all that matters.
      return { kind: 'external', path: `${path}()` }
  }
  if (RUN_TIME.test(path)) return RUNTIME
  if (!path.includes('.')) {
    const answer = callBuiltin(path, args, machine)
    if (answer) return answer
  }
  if (/(^|\.)\w*ArgumentParser$/i.test(path) && !isStandardModule(path)) {
    const made = createParser(args, machine, at)
    if (made.kind === 'parser') made.parser.doubts.push({ message: `The parser comes from \`${path}\`.`, at })
    return made
  }
  if (first?.kind === 'function' && /\.(run|wrapper|main|start|run_until_complete)$/.test(path)) {
    return callFunction(first, { positional: [], named: new Map(), open: true }, machine)
  }
  // What other libraries do not know of, they do not change: only parsers are handed over to be filled.
  const parsers = args.positional.filter(value => value.kind === 'parser' || value.kind === 'argument-group')
  handOver({ positional: parsers, named: new Map(), open: false }, machine, at)
  if (path === 'asyncio.run') return first ?? NONE
  return unsure(...args.positional)
}

/** Answers that differ from machine to machine and from day to day. */
const RUN_TIME =
  /^(os\.(getcwd|cpu_count|getpid|getlogin|uname|listdir|path\.(abspath|realpath|expanduser|expandvars|exists|isfile|isdir|dirname|getsize))|pathlib\.Path\.(home|cwd)|(datetime|time|tempfile|getpass|socket|platform|uuid|random|secrets|shutil|subprocess|multiprocessing|glob|locale)\..*|input|open|id|hash|sys\.(getdefaultencoding|stdin|stdout)\b.*)$/

/** A class with the fields that are named in a list or in a text. */
function namedTuple(name: Value | undefined, fields: Value | undefined): Value {
  const names = fields?.kind === 'str' ? fields.value.split(/[\s,]+/).map(text) : fields && itemsOf(fields)
  if (name?.kind !== 'str' || !names) return UNKNOWN
  const words = names.flatMap(field => (field.kind === 'str' && field.value ? [field.value] : []))
  return { kind: 'class', name: name.value, bases: [], members: new Map(), fields: words }
}

function joinPath(path: string, parts: readonly Value[]): Value {
  const texts = parts.map(
    part => (part.kind === 'runtime' && part.fallback ? toText(part.fallback) : undefined) ?? plain(part),
  )
  if (texts.includes(undefined) || texts.length === 0) return unsure(...parts)
  const words = texts.map(word => word ?? '')
  const last = words.findLastIndex(word => word.startsWith('/'))
  const joined = words
    .slice(Math.max(0, last))
    .filter(Boolean)
    .join('/')
    .replace(/\/{2,}/g, '/')
  const from = parts.find(part => part.kind === 'runtime')
  if (path === 'os.path.join' && !from) return text(joined)
  const normal = path === 'os.path.join' ? joined : joined.replace(/(^|\/)\.\//g, '$1').replace(/(.)\/$/, '$1') || '.'
  return {
    kind: 'runtime',
    ...(from?.kind === 'runtime' && from.from ? { from: from.from } : {}),
    fallback: text(normal),
  }
}

function plain(value: Value): string | undefined {
  return value.kind === 'str' ? value.value : undefined
}

function dedent(value: string): string {
  const lines = value.split('\n')
  const indents = lines.filter(line => line.trim()).map(line => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const indent = indents.length > 0 ? Math.min(...indents) : 0
  return lines.map(line => (line.trim() ? line.slice(indent) : '')).join('\n')
}
