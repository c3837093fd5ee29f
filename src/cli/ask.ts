import { createInterface } from 'node:readline/promises'
import type { OnApproval } from '../policy/approval.ts'
import { cutText } from '../text/clean-text.ts'
import { bold, complain, dim } from './output.ts'

/** Asks on a terminal; with `yes` nobody is asked. Undefined when there is no terminal. */
export function askOnTerminal({ yes }: { readonly yes: boolean }): OnApproval | undefined {
  if (yes) return () => true
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return async ({ kind, tool, skill, args, policy, rights }, { signal }) => {
    const what =
      kind === 'changed-skill'
        ? `The skill ${bold(skill)} is not, or not any more, what was approved. \`skillwright review ${skill}\` shows what it can do.`
        : `${bold(tool)} ${kind === 'destructive' ? 'is destructive' : 'needs approval'}.`
    complain(
      `${what}\n${dim(`  arguments: ${cutText(JSON.stringify(args), 400)}\n  policy ${policy}: ${rights.join('; ')}`)}`,
    )
    const line = createInterface({ input: process.stdin, output: process.stderr })
    try {
      const question = kind === 'changed-skill' ? 'Approve it as it is now, and call it?' : 'Call it?'
      return /^y(?:es)?$/i.test((await line.question(`${question} [y/N] `, { signal })).trim())
    } finally {
      line.close()
    }
  }
}
