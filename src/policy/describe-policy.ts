// A policy in words, for whoever is to approve or check it.
import type { Limits, Policy } from '../types.ts'

/** What programs and requests may do under a policy. */
export function rightsOf(policy: Policy): string[] {
  const { sandbox, network, requests, read, write, env, calls } = policy
  const hosts = (list: string | readonly string[]) => (typeof list === 'string' ? list : list.join(', ') || 'none')
  return [
    sandbox ? 'scripts run in a sandbox' : 'scripts run without a sandbox, with your rights',
    network === 'none' ? 'scripts have no network' : `scripts may connect to: ${hosts(network)}`,
    requests === 'none' ? 'HTTP tools may send nothing' : `HTTP tools may send to: ${hosts(requests)}`,
    `scripts may read: ${[...read, ...write].join(', ')}`,
    `scripts may write: ${write.join(', ') || 'nothing'}`,
    `environment variables: ${hosts(env)}`,
    calls === 'own' ? 'its tools may call no tools of others' : 'its tools may call tools of others',
  ]
}

const UNITS: Readonly<Record<keyof Limits, (value: number) => string>> = {
  timeSec: value => `${value} s`,
  memoryMb: value => `${value} MiB of memory`,
  processes: value => `${value} processes`,
  outputKb: value => `${value} KiB of output`,
  fileMb: value => `${value} MiB a file`,
  writtenMb: value => `${value} MiB written`,
  tempMb: value => `${value} MiB in /tmp`,
}

/** Rule and value, as rows of a table. */
export function policyRows(policy: Policy): [string, string][] {
  const text = (value: Policy[keyof Policy]) =>
    Array.isArray(value)
      ? value.join(', ') || 'none'
      : typeof value === 'boolean'
        ? value
          ? 'yes'
          : 'no'
        : String(value)
  const { name: _, limits, ...rules } = policy
  const rows = Object.entries(rules).map(([rule, value]): [string, string] => [
    WORDS[rule as keyof typeof rules],
    text(value),
  ])
  const limited = (Object.keys(UNITS) as (keyof Limits)[]).flatMap(name =>
    limits[name] === undefined ? [] : [UNITS[name](limits[name])],
  )
  return [...rows, ['limits', limited.join(', ') || 'none']]
}

const WORDS: Readonly<Record<keyof Omit<Policy, 'name' | 'limits'>, string>> = {
  sandbox: 'sandbox',
  unenforceable: 'unenforceable',
  network: 'network',
  requests: 'requests',
  read: 'read',
  write: 'write',
  env: 'env',
  allowedTools: 'allowed_tools',
  calls: 'calls',
  approval: 'approval',
  changed: 'changed',
}
