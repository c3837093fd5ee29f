// A policy on a machine: what is enforced, what is not, and what becomes of the call then. Never silent.
import { fail } from '../errors.ts'
import type { Outcome, Policy, RanUnder } from '../types.ts'
import type { Machine } from './machine.ts'
import { needsSandbox } from './read-policy.ts'

export type Plan =
  | {
      readonly ok: true
      /** False: the program runs without one, because the policy says so or because there is none. */
      readonly confined: boolean
      readonly ranUnder: RanUnder
    }
  | Extract<Outcome, { ok: false }>

/** `more` are rules that cannot be enforced for other reasons than the machine, in words. */
export function enforce(policy: Policy, machine: Machine, more: readonly string[] = []): Plan {
  const confined = policy.sandbox && machine.sandbox !== 'none'
  const missing = [...unenforceable(policy, machine), ...(confined ? more : [])]
  if (missing.length > 0 && policy.unenforceable === 'error') return refuse(policy, machine, missing)
  return {
    ok: true,
    confined,
    ranUnder: {
      policy: policy.name,
      sandbox: confined ? machine.sandbox : 'none',
      start: 'cold',
      ...(missing.length > 0 && { downgrades: missing }),
    },
  }
}

/** The rules of a policy that a machine cannot enforce, each in words. */
export function unenforceable(policy: Policy, machine: Machine): string[] {
  if (!policy.sandbox) return []
  if (machine.sandbox === 'none') {
    const rules = new Set(needsSandbox(policy).map(rule => AREAS[rule]!))
    return [`no sandbox here (${machine.why ?? 'none was found'}): ${listed([...rules])} are not limited`]
  }
  const { network, limits } = policy
  const say = (holds: boolean, text: string) => (holds ? [] : [text])
  return [
    ...say(network === 'all' || machine.network, 'the network cannot be cut off'),
    ...say(!Array.isArray(network) || machine.hosts, 'the network cannot be limited to single hosts'),
    ...say(machine.files, 'files cannot be kept from programs'),
    ...say(machine.devices, 'device nodes such as /dev/null can be changed'),
    ...say(limits.memoryMb === undefined || machine.memory !== 'none', 'memory is not limited'),
    ...say(limits.processes === undefined || machine.processes, 'the number of processes is not limited'),
    ...say(limits.fileMb === undefined || machine.fileSize, 'the size of files is not limited'),
    ...say(limits.writtenMb === undefined || machine.written, 'what is written in all is not limited'),
    ...say(limits.tempMb === undefined || machine.temp, 'the size of /tmp is not limited'),
  ]
}

const AREAS: Readonly<Record<string, string>> = {
  network: 'network',
  read: 'files',
  write: 'files',
  'limits.memoryMb': 'memory',
  'limits.processes': 'processes',
  'limits.fileMb': 'disk space',
  'limits.writtenMb': 'disk space',
  'limits.tempMb': 'disk space',
}

function refuse(policy: Policy, { remedy }: Machine, missing: readonly string[]): Extract<Plan, { ok: false }> {
  return fail('POLICY_UNENFORCEABLE', `The policy ${policy.name} cannot be enforced here: ${missing.join('; ')}.`, {
    hints: [
      ...(remedy ? [remedy] : []),
      'Or let it run under another policy: `skillwright trust <skill> --policy balanced`.',
    ],
    nextAction: 'Tell the user, who can do one of these; use another tool meanwhile.',
  })
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
