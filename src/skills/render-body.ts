import { splitWords } from '../text/split-words.ts'

const PLACEHOLDER = /\\\$(?=ARGUMENTS|[1-9])|\{baseDir\}|\$\{CLAUDE_SKILL_DIR\}|\$ARGUMENTS\b|\$([1-9])(?!\d)/g

/**
 * Fills in a skill's body: `{baseDir}` and `${CLAUDE_SKILL_DIR}` become its folder, `$ARGUMENTS` and `$1`…`$9` the
 * arguments; `\$1` stays `$1`. Arguments that no placeholder takes are appended. Without arguments `$1`…`$9` stay as
 * they are, since bodies quote shell code. Filled-in text is not filled in again.
 */
export function renderBody(body: string, folder: string, args: string): string {
  const words = splitWords(args)
  let taken = false
  const filled = body.replace(PLACEHOLDER, (found: string, position?: string) => {
    if (found === '\\$') return '$'
    if (found === '{baseDir}' || found === '${CLAUDE_SKILL_DIR}') return folder
    if (position !== undefined && words.length === 0) return found
    taken = true
    return position === undefined ? args : (words[Number(position) - 1] ?? '')
  })
  const tail = args && !taken ? `\n\nARGUMENTS: ${args}` : ''
  return `Base directory for this skill: ${folder}\n\n${filled}${tail}`
}
