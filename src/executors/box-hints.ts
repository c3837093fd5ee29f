// Why a program failed, when it was the box around it: a system's error says what did not work, not which rule it was.
import type { RunOutcome } from '../process/run-request.ts'
import type { Policy } from '../types.ts'

const NO_WRITE = /Read-only file system|\bEROFS\b|Permission denied|\bEACCES\b/i
const NO_NETWORK =
  /Network is unreachable|Name or service not known|Temporary failure in name resolution|Could not resolve|unknown host|\b(?:ENETUNREACH|ENOTFOUND|EAI_AGAIN|ECONNREFUSED)\b|Connection refused/i
/** Errors stand at the end. */
const LOOKED_AT = 4000

/** What a confined program may have run into, the rule, and what to type. `skill` is absent for a command of the workspace. */
export function boxHints({ stdout, stderr }: RunOutcome, policy: Policy, skill: string | undefined): string[] {
  const said = stdout.text.slice(-LOOKED_AT) + stderr.text.slice(-LOOKED_AT)
  const { name, network, write } = policy
  const grant = (rule: string, what: string) =>
    skill === undefined
      ? `The user can grant it with \`${rule}\` of the policy.`
      : `The user can grant it: \`skillwright trust ${skill} --${rule} ${what}\`, or \`${rule}\` of the policy when a rule of the configuration names one.`
  const places = [...write, '/tmp'].join(', ')
  const noNetwork = network === 'none' || network.length === 0
  return [
    ...(NO_WRITE.test(said) && !write.includes('/')
      ? [
          `The policy ${name} lets it write only: ${places}. ${grant('write', write.includes('workspace') ? '<path>' : 'workspace')}`,
        ]
      : []),
    ...(NO_NETWORK.test(said) && noNetwork
      ? [`The policy ${name} gives it no network. ${grant('network', '<host:port>')}`]
      : []),
  ]
}
