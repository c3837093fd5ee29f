// The three policies that everybody has. A user's own extends one of them, see `read-policy.ts`.
import type { Policy } from '../types.ts'

export type PolicyName = 'strict' | 'balanced' | 'permissive'

/** For what strangers wrote: nothing leaves the machine, nothing is written, and what cannot be enforced does not run. */
const strict: Policy = {
  name: 'strict',
  sandbox: true,
  unenforceable: 'error',
  network: 'none',
  requests: 'none',
  read: ['skill', 'workspace'],
  write: [],
  env: [],
  allowedTools: 'patterns',
  calls: 'own',
  approval: 'destructive',
  changed: 'approve',
  limits: { timeSec: 60, memoryMb: 512, processes: 64, outputKb: 100, fileMb: 64, writtenMb: 256, tempMb: 64 },
}

/** For one's own skills: they work on the workspace and may ask the hosts that they declare. */
const balanced: Policy = {
  name: 'balanced',
  sandbox: true,
  unenforceable: 'downgrade',
  network: 'none',
  requests: 'declared',
  read: ['skill'],
  write: ['workspace'],
  env: 'granted',
  allowedTools: 'bash',
  calls: 'all',
  approval: 'destructive',
  changed: 'run',
  limits: { memoryMb: 2048, processes: 256, outputKb: 100, fileMb: 1024, writtenMb: 4096, tempMb: 512 },
}

/** Scripts run with the rights of whoever calls them. */
const permissive: Policy = {
  name: 'permissive',
  sandbox: false,
  unenforceable: 'downgrade',
  network: 'all',
  requests: 'declared',
  read: ['/'],
  write: ['/'],
  env: 'granted',
  allowedTools: 'bash',
  calls: 'all',
  approval: 'never',
  changed: 'run',
  limits: { outputKb: 100 },
}

export const POLICIES: Readonly<Record<PolicyName, Policy>> = Object.freeze({
  strict: freeze(strict),
  balanced: freeze(balanced),
  permissive: freeze(permissive),
})

export function isPolicyName(value: unknown): value is PolicyName {
  return typeof value === 'string' && Object.hasOwn(POLICIES, value)
}

/** A policy that nobody can change behind the runtime's back. */
export function freeze(policy: Policy): Policy {
  for (const value of Object.values(policy)) if (typeof value === 'object') Object.freeze(value)
  return Object.freeze(policy)
}
