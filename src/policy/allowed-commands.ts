// What `allowed-tools` of a skill says about its scripts.
import { fail } from '../errors.ts'
import type { Language, Outcome, Policy, Skill, Tool } from '../types.ts'

/** Why a tool may not run by its skill's own word; undefined when it may. */
export function checkAllowedTools(policy: Policy, tool: Tool, skill: Skill | undefined): Outcome | undefined {
  const { executor } = tool
  if (policy.allowedTools === 'ignore' || !skill?.allowedTools) return undefined
  if (executor.type !== 'script' && executor.type !== 'binary') return undefined
  const bash = skill.allowedTools.filter(allowed => allowed.tool === 'Bash')
  if (bash.length === 0) return withoutBash(skill)
  if (policy.allowedTools === 'bash' || bash.some(({ pattern }) => pattern === undefined)) return undefined

  const commands = spellingsOf(tool, skill)
  const patterns = bash.map(({ pattern = '' }) => pattern)
  if (patterns.some(pattern => commands.some(command => matches(pattern, command)))) return undefined
  const shown = patterns.map(pattern => `Bash(${pattern})`).join(', ')
  return fail('TOOL_RESTRICTED', `The skill ${skill.id} may not run ${commands[0]}: it allows only ${shown}.`, {
    hints: [`Its author can add Bash(${commands[0]} *) to allowed-tools in ${skill.file}.`],
    nextAction: 'Follow the skill’s instructions without this tool.',
  })
}

function withoutBash(skill: Skill): Outcome {
  const allowed = skill.allowedTools?.map(one => one.tool).join(', ') || 'nothing'
  return fail('TOOL_RESTRICTED', `The skill ${skill.id} may not run scripts: it allows ${allowed}, not Bash.`, {
    hints: [`Its author can add Bash to allowed-tools in ${skill.file}.`],
    nextAction: `Follow the skill's instructions without this tool.`,
  })
}

/** The usual ways to write the command of a tool, without its arguments. */
function spellingsOf({ executor }: Tool, { folder }: Skill): string[] {
  if (executor.type === 'binary') return 'path' in executor.program ? [executor.program.path] : []
  if (executor.type !== 'script') return []
  const { file, language, shebang = [] } = executor
  const paths = [file, `./${file}`, `{baseDir}/${file}`, `\${CLAUDE_SKILL_DIR}/${file}`, `${folder}/${file}`]
  const interpreters = [...INTERPRETERS[language], ...shebang.slice(0, 1).map(path => path.split('/').at(-1) ?? path)]
  return [...new Set(interpreters.map(name => `${name} ${file}`)), ...paths].concat(
    interpreters.flatMap(name => paths.slice(1).map(path => `${name} ${path}`)),
  )
}

const INTERPRETERS: Readonly<Record<Language, readonly string[]>> = {
  python: ['python3', 'python', 'uv run'],
  shell: ['bash', 'sh'],
  javascript: ['node'],
  typescript: ['npx tsx', 'tsx', 'node', 'bun', 'deno run'],
  ruby: ['ruby'],
  perl: ['perl'],
  powershell: ['pwsh', 'powershell'],
  other: [],
}

/**
 * `python scripts/*`, `scripts/x.sh:*`, `git *`: `*` stands for anything, `:*` at the end for any arguments. A pattern
 * that allows the command with arguments allows it without. Takes time in proportion to both lengths.
 */
export function matches(pattern: string, command: string): boolean {
  const written = pattern.trim().replace(/:\*$/, ' *')
  if (written === '*') return true
  const [head, rest] = written.endsWith(' *') ? [written.slice(0, -2), true] : [written, false]
  return matchesWhole(head, command) || (rest && matchesWhole(`${head} *`, command))
}

/** Greedy from left to right: each piece between two `*` is taken where it first occurs. */
function matchesWhole(pattern: string, text: string): boolean {
  const pieces = pattern.split('*')
  const first = pieces[0]!
  const last = pieces.at(-1)!
  if (pieces.length === 1) return text === pattern
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let at = first.length
  const end = text.length - last.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}
