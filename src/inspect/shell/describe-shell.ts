// The description of a shell script: its leading comment, or a `: '…'` block that stands for one.
import { describeComment, leadingComment } from '../comments/describe-comment.ts'
import type { Command } from './shell-syntax.ts'
import { literalText } from './word-text.ts'

/** Lines that stand between the comments at the top without saying anything. */
const PASSES = /^\s*(?:set\s|shopt\s|IFS=|export\s+LC_|umask\s)/

export function describeShell(text: string, commands: readonly Command[], path: string): string | undefined {
  return describeComment(leadingComment(text, PASSES), path) ?? describeBlock(commands, path)
}

function describeBlock(commands: readonly Command[], path: string): string | undefined {
  for (const command of commands.slice(0, 4)) {
    if (command.type !== 'simple' || literalText(command.words[0]) !== ':') continue
    const block = literalText(command.words[1]) ?? literalText(command.redirects.find(redirect => redirect.body)?.body)
    const described = block && describeComment(block.split('\n'), path)
    if (described) return described
  }
  return undefined
}
