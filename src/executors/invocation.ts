// Arguments → argv, stdin and environment, by the tool's calling convention.
import { fail } from '../errors.ts'
import { parseTemplate } from '../templates/parse-template.ts'
import { RenderError, renderArgv, renderText, type Scope } from '../templates/render.ts'
import type { CallingConvention, ExecuteRequest, Outcome, Templated } from '../types.ts'
import { buildCommandLine } from './command-line.ts'
import { buildFreeForm, type Invocation } from './free-form.ts'
import { buildPythonFunction } from './python-function.ts'

export type BuiltInvocation = { readonly ok: true; readonly invocation: Invocation } | Extract<Outcome, { ok: false }>

/** Never throws: arguments that cannot be passed are an outcome. */
export function buildInvocation(
  convention: CallingConvention,
  { args, commandLine, variable }: Pick<ExecuteRequest, 'args' | 'commandLine' | 'variable'>,
): BuiltInvocation {
  if (commandLine) {
    const words = convention.type === 'command-line' ? convention.command : []
    const { data } = args
    const isText = typeof data === 'string' && takesStdin(convention)
    const stdin = data === undefined ? {} : { stdin: isText ? data : JSON.stringify(data) }
    return { ok: true, invocation: { argv: [...words, ...commandLine], ...stdin } }
  }
  switch (convention.type) {
    case 'free-form':
      return { ok: true, invocation: buildFreeForm(args) }
    case 'python-function':
      return { ok: true, invocation: buildPythonFunction(convention, args) }
    case 'json-stdin':
      return { ok: true, invocation: { argv: [], stdin: JSON.stringify(args) } }
    case 'templates':
      return fillIn(convention, { args, env: variable })
    case 'command-line': {
      const built = buildCommandLine(convention, args)
      return built.ok ? built : fail('INVALID_ARGS', built.message, { nextAction: MEND })
    }
  }
}

/** A parameter that is stdin takes a text as it is. */
function takesStdin(convention: CallingConvention): boolean {
  return convention.type === 'command-line' && convention.parameters.some(({ pass }) => pass.as === 'stdin')
}

function fillIn({ argv, stdin }: Templated, { args, env }: Scope): BuiltInvocation {
  const secrets = new Set<string>()
  const scope: Scope = {
    args,
    env: name => {
      const value = env(name)
      secrets.add(value)
      return value
    },
  }
  try {
    const text = stdin === undefined ? {} : { stdin: renderText(parseTemplate(stdin), scope) }
    return { ok: true, invocation: { argv: renderArgv(argv, scope), ...text, secrets } }
  } catch (error) {
    return failedTemplate(error)
  }
}

/** The outcome of a template that could not be filled in. Throws what is no fault of template or arguments. */
export function failedTemplate(error: unknown): Extract<Outcome, { ok: false }> {
  if (!(error instanceof RenderError)) throw error
  const nextAction = error.code === 'INVALID_ARGS' ? MEND : 'Ask the user to grant it, or use another tool.'
  return fail(error.code, `${error.message}.`, { nextAction })
}

const MEND = 'Mend the arguments, then call again.'
