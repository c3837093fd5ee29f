// What holds for one tool on this machine, for whoever asks before a call.
import type { Policy, Tool } from '../types.ts'
import { enforce, unenforceable } from './enforce.ts'
import type { Verdict } from './judge.ts'
import type { Machine } from './machine.ts'

export type ToolPolicy = {
  readonly tool: string
  readonly policy: Policy
  /** Which rule it comes from, in words. */
  readonly because: string
  /** False: the policy wants an approval of the skill first. */
  readonly trusted: boolean
  /** What of it this machine cannot enforce, in words, and whether calls are refused for that. */
  readonly unenforceable: readonly string[]
  readonly refused: boolean
}

export function toolPolicy(tool: Tool, { policy, because, needsTrust }: Verdict, machine: Machine): ToolPolicy {
  const isBoxed = isProgram(tool)
  return {
    tool: tool.id,
    policy,
    because,
    trusted: !needsTrust,
    unenforceable: isBoxed ? unenforceable(policy, machine) : [],
    refused: isBoxed && !enforce(policy, machine).ok,
  }
}

/** Only programs run in a sandbox; of the built-in tools one starts some. */
function isProgram({ executor }: Tool): boolean {
  return (
    executor.type === 'script' ||
    executor.type === 'binary' ||
    (executor.type === 'builtin' && executor.name === 'bash')
  )
}
