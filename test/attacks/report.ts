// One line per attack, for people; and the one place that says what happens where no sandbox can be made.
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts'
import type { AttackOutcome } from './world.ts'

/** Whether attacks can be run. Where tests are a gate it throws instead: a skipped attack must not look like a held one. */
export async function needsSandbox(): Promise<boolean> {
  const probe = await probeSandbox()
  const why =
    probe.kind !== 'bubblewrap'
      ? `no bubblewrap: ${'why' in probe ? `${probe.why} ${probe.remedy}` : ''}`
      : process.getuid?.() === 0
        ? undefined
        : 'the attacks need root, to be able to be another user'
  if (why === undefined) return true
  if (process.env['CI'] === 'true') throw new Error(`The attacks cannot be run here: ${why}`)
  console.warn(`ATTACKS NOT RUN: ${why}`)
  return false
}

export const heading = (): string => line('attack', 'user', 'policy', 'outcome')

export function row(name: string, user: string, policy: string, { end, stderr }: AttackOutcome, held: boolean): string {
  const how = { exited: `exit code ${end.code}`, limit: `limit: ${end.what}` }[end.how] ?? end.how
  const said = stderr.trim().split('\n').at(-1) ?? ''
  return line(name, user, policy, `${held ? 'held' : 'SUCCEEDED'} (${how}${said ? `; ${said.slice(-80)}` : ''})`)
}

const line = (name: string, user: string, policy: string, outcome: string): string =>
  `${name.padEnd(46)} ${user.padEnd(8)} ${policy.padEnd(9)} ${outcome}`
