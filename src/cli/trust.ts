import { resolve } from 'node:path'
import { SkillInvocationError } from '../errors.ts'
import { isPolicyName } from '../policy/policies.ts'
import { checkGrants, unknownPolicy } from '../policy/read-policy.ts'
import type { Runtime } from '../runtime.ts'
import type { TrustOptions } from '../trust/trust.ts'
import type { Grants } from '../trust/trust-store.ts'
import type { PlacedOptions } from './config.ts'
import { bold, complain, dim, print, printJson } from './output.ts'
import { UsageError } from './usage-error.ts'

export type TrustCommandOptions = PlacedOptions & {
  readonly policy?: string
  readonly network: readonly string[]
  readonly env: readonly string[]
  readonly write: readonly string[]
}

/** `skillwright trust <skills>`: approves skills as they are now, and grants what is named. */
export async function trust(runtime: Runtime, options: TrustCommandOptions, names: readonly string[]): Promise<number> {
  const { policy, network, env, write, json, quiet } = options
  if (policy !== undefined && !isPolicyName(policy))
    throw new UsageError(`--policy: ${unknownPolicy(policy, ['strict', 'balanced', 'permissive'])}`)
  const grants: Grants = { network, env, write: write.map(toPlace) }
  const problem = checkGrants(grants)
  if (problem) throw new UsageError(`trust: ${problem}`)
  const given: TrustOptions = { ...(policy !== undefined && { policy }), grants }
  const records = []
  for (const name of names) records.push(await known(() => runtime.trust(name, given)))
  if (json) printJson(records.map(({ files: _, ...record }) => record))
  else
    for (const { id, hash } of records) {
      print(`trusted  ${bold(id)}  ${dim(hash.slice(0, 19))}`)
      if (!quiet) complain(dim('It holds for the skill as it is now; when its files change, trust it again.'))
    }
  return 0
}

/** A path means what it means now, wherever calls are made from later. */
const toPlace = (place: string): string =>
  place === 'skill' || place === 'workspace' || place.startsWith('~/') ? place : resolve(place)

/** `skillwright untrust <skills>`: takes back what was approved and granted. */
export async function untrust(runtime: Runtime, options: PlacedOptions, names: readonly string[]): Promise<number> {
  for (const name of names) await known(() => runtime.untrust(name))
  if (options.json) printJson({ untrusted: names })
  else for (const name of names) print(`untrusted  ${bold(name)}`)
  return 0
}

/** A skill that nobody knows is wrong usage. */
export async function known<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SkillInvocationError) || error.code !== 'SKILL_NOT_FOUND') throw error
    throw new UsageError([error.message, ...error.hints].join(' '))
  }
}
