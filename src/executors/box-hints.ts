// Why a program failed, when it was the box around it: a system's error says what did not work, not which rule it was.
import { isAbsolute } from 'node:path'
import { isInside } from '../files/inside.ts'
import type { RunOutcome } from '../process/run-request.ts'
import type { Confinement } from '../sandbox/confinement.ts'
import type { Policy } from '../types.ts'

const NO_WRITE = /Read-only file system|\bEROFS\b|Permission denied|\bEACCES\b/i
const NOT_FOUND = /No such file or directory|\bENOENT\b|FileNotFoundError/i
const NO_NETWORK =
  /Network is unreachable|Name or service not known|Temporary failure in name resolution|Could not resolve|unknown host|\b(?:ENETUNREACH|ENOTFOUND|EAI_AGAIN|ECONNREFUSED)\b|Connection refused/i
/** Errors stand at the end. */
const LOOKED_AT = 4000

export type BoxedRun = {
  readonly policy: Policy
  readonly confinement: Confinement
  /** The arguments of the program. */
  readonly argv: readonly string[]
  /** Absent for a command of the workspace. */
  readonly skill: string | undefined
}

/** What a confined program may have run into, the rule, and what to type. */
export function boxHints({ stdout, stderr }: RunOutcome, { policy, confinement, argv, skill }: BoxedRun): string[] {
  const said = stdout.text.slice(-LOOKED_AT) + stderr.text.slice(-LOOKED_AT)
  const { name, network, read, write } = policy
  const unseen = NOT_FOUND.test(said) ? argv.find(word => isUnseen(word, confinement)) : undefined
  const grant = (rule: string, what: string) =>
    skill === undefined
      ? `The user can grant it with \`${rule}\` of the policy.`
      : `The user can grant it: \`skillwright trust ${skill} --${rule} ${what}\`, or \`${rule}\` of the policy when a rule of the configuration names one.`
  const places = [...write, '/tmp'].join(', ')
  const noNetwork = network === 'none' || network.length === 0
  return [
    ...(unseen === undefined
      ? []
      : [
          `The policy ${name} shows it only: ${[...new Set([...read, ...write])].join(', ')}. ${unseen} lies elsewhere: copy it to the workspace and pass that path, or ask the user for \`read\` of the policy.`,
        ]),
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

/** Told by the path alone: whether there is such a file outside is nothing that a script may learn. */
function isUnseen(word: string, { read, write, hide }: Confinement): boolean {
  if (!isAbsolute(word) || SYSTEM.some(place => isInside(place, word))) return false
  const around = [...read, ...write, ...hide].filter(place => isInside(place, word))
  const nearest = around.reduce((deepest, place) => (place.length > deepest.length ? place : deepest), '')
  return nearest === '' || hide.includes(nearest)
}

/** What is there inside, with files of its own. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/etc', '/dev', '/proc']
