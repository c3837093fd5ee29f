// Which variables of the host a skill asks for. Only names are read here; values are looked up when a call is made.
import type { Skill, Tool, Variable } from '../types.ts'

export type ReadVariables = {
  readonly variables: readonly Variable[]
  /** Why others are not passed on. */
  readonly refused: readonly { readonly message: string; readonly hint: string }[]
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
const MAX_NAMES = 100

/** Every program has these already. */
const USUAL = /^(?:HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|PWD|OLDPWD)$/
/** They say what is loaded or run, by the system, a shell, an interpreter or a program that scripts often start. */
const LOADING = new RegExp(
  `^(?:${[
    'PATH|PATHEXT|COMSPEC|LD_\\w+|DYLD_\\w+|LIBPATH|SHLIB_PATH|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|HOSTALIASES|RES_OPTIONS',
    'ENV|IFS|CDPATH|BASH_\\w+|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|ZDOTDIR|FPATH',
    'NODE_\\w+|BUN_\\w+|DENO_\\w+|NPM_CONFIG_\\w+|PYTHON\\w*|PERL\\w*|RUBY\\w*|GEM_\\w+|BUNDLE_\\w+|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|PSMODULEPATH',
    'GIT_\\w+|EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|BROWSER|OPENSSL_\\w+|SSLKEYLOGFILE|SSL_CERT_\\w+',
    'HTTP_PROXY|HTTPS_PROXY|ALL_PROXY|NO_PROXY|TOOL_ARG\\w*|SKILL_DIR|SKILLWRIGHT_\\w+',
  ].join('|')})$`,
)

/** Reads `env:`, a list of names or of `{ name, optional, description }`. */
export function readVariables(value: unknown): ReadVariables {
  if (value === undefined || value === null) return { variables: [], refused: [] }
  if (!Array.isArray(value)) return { variables: [], refused: [{ message: '`env` is no list.', hint: HOW }] }
  return readList(value, item => (typeof item === 'string' ? { name: item } : toVariable(item)))
}

/** What a skill asks for in its frontmatter: `env`, and what other clients read, which counts as optional. */
export function skillVariables({ frontmatter }: Skill): ReadVariables {
  const own = readVariables(frontmatter['env'])
  const foreign = readList(foreignNames(frontmatter), name => ({ name: String(name), optional: true }))
  return {
    variables: mergeVariables(own.variables, foreign.variables),
    refused: [...own.refused, ...foreign.refused],
  }
}

/** Of two with the same name the one in the first list counts. */
export function mergeVariables(...lists: readonly (readonly Variable[])[]): readonly Variable[] {
  const byName = new Map<string, Variable>()
  for (const variable of lists.flat()) if (!byName.has(variable.name)) byName.set(variable.name, variable)
  return [...byName.values()]
}

/** The tool with what its skill declares for all of its programs. */
export function withVariables(tool: Tool, shared: readonly Variable[]): Tool {
  const isProgram = tool.executor.type === 'script' || tool.executor.type === 'binary'
  if (!isProgram || shared.length === 0) return tool
  const variables = mergeVariables(tool.variables ?? [], shared)
  return { ...tool, variables, env: [...new Set([...(tool.env ?? []), ...variables.map(({ name }) => name)])] }
}

const HOW = 'Write `env: [NAME]`, or `env: [{ name: NAME, optional: true, description: … }]`.'

function readList(list: readonly unknown[], read: (item: unknown) => Variable | undefined): ReadVariables {
  const variables: Variable[] = []
  const refused: { message: string; hint: string }[] = []
  if (list.length > MAX_NAMES)
    refused.push({ message: `More than ${MAX_NAMES} variables are asked for.`, hint: 'Ask for fewer.' })
  for (const item of list.slice(0, MAX_NAMES)) {
    const variable = read(item)
    if (!variable || !NAME.test(variable.name))
      refused.push({ message: `${shown(item)} is no name of a variable.`, hint: HOW })
    else if (USUAL.test(variable.name))
      refused.push({ message: `${variable.name} need not be declared.`, hint: 'Every program has it: remove it.' })
    else if (LOADING.test(variable.name.toUpperCase()))
      refused.push({
        message: `${variable.name} changes what programs load or run, so it is not passed on.`,
        hint: 'Choose another name, and set what is needed inside the script.',
      })
    else variables.push(variable)
  }
  return { variables: mergeVariables(variables), refused }
}

function toVariable(item: unknown): Variable | undefined {
  if (!isRecord(item) || typeof item['name'] !== 'string') return undefined
  const { name, optional, description } = item
  return {
    name,
    ...(optional === true && { optional }),
    ...(typeof description === 'string' && { description }),
  }
}

/** `requires.env` and `metadata.<client>.requires.env`, as skills in the wild have them. */
function foreignNames(frontmatter: Skill['frontmatter']): readonly unknown[] {
  const metadata = isRecord(frontmatter['metadata']) ? frontmatter['metadata'] : {}
  return [frontmatter, metadata, ...Object.values(metadata)].flatMap(one => {
    const requires = isRecord(one) ? one['requires'] : undefined
    const names = isRecord(requires) ? requires['env'] : undefined
    return Array.isArray(names) ? names : []
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 80)
