// Which policy holds for a tool: the most specific word counts.
import { resolve } from 'node:path'
import { nearest } from '../text/nearest.ts'
import type { Grants, TrustRecord } from '../trust/trust-store.ts'
import type { Policy, Skill, Source, Tool } from '../types.ts'
import { freeze, POLICIES, type PolicyName } from './policies.ts'
import { toPolicy } from './read-policy.ts'

/** A policy for all tools of a source (its name or path), of a skill, or for one tool. */
export type PolicyRule = { readonly policy: PolicyName | Policy } & (
  | { readonly source: string }
  | { readonly skill: string }
  | { readonly tool: string }
)

export type Assigned = {
  readonly policy: Policy
  /** Which rule it comes from, in words. */
  readonly because: string
}

export type AssignmentOptions = {
  readonly policy?: PolicyName | Policy | undefined
  readonly policies?: readonly PolicyRule[] | undefined
  readonly sources: readonly Source[]
  /** Variables that are granted to all skills. */
  readonly env: readonly string[]
}

export type Standing = {
  readonly imported: boolean
  /** As text, by whoever has the session; its name is anybody's choice. */
  readonly handedOver?: boolean
  /** What was granted to the skill as it is now. */
  readonly trust?: TrustRecord | undefined
}

export type Assignment = (tool: Pick<Tool, 'id' | 'skill'>, skill: Skill | undefined, standing: Standing) => Assigned

/** Throws `TypeError` on an unknown policy or a rule for a source that does not exist. */
export function createAssignment({ policy = 'balanced', policies = [], sources, env }: AssignmentOptions): Assignment {
  const usual = toPolicy(policy)
  const tools = new Map<string, Policy>()
  const skills = new Map<string, Policy>()
  const bySource = new Map<string, Policy>()
  for (const rule of policies) {
    if ('tool' in rule) tools.set(rule.tool, toPolicy(rule.policy))
    else if ('skill' in rule) skills.set(rule.skill, toPolicy(rule.policy))
    else bySource.set(sourceOf(rule.source, sources), toPolicy(rule.policy))
  }

  return (tool, skill, { imported, handedOver, trust }) => {
    // Rules for names are about other skills than one that takes such a name.
    if (handedOver) return { policy: POLICIES.strict, because: 'skills that were handed over run at strict' }
    const forTool = tools.get(tool.id)
    if (forTool) return { policy: forTool, because: `the rule for the tool ${tool.id}` }
    const forSkill = skills.get(tool.skill)
    if (forSkill) return { policy: forSkill, because: `the rule for the skill ${tool.skill}` }
    const forSource = skill && bySource.get(skill.source)
    if (forSource) return { policy: forSource, because: `the rule for the source ${skill.source}` }

    const start: Assigned = imported
      ? { policy: POLICIES.strict, because: 'imported skills start at strict' }
      : { policy: usual, because: 'the default' }
    if (!trust?.policy && !trust?.grants) return start
    const base = trust.policy === undefined ? start.policy : POLICIES[trust.policy]
    return { policy: withGrants(base, trust.grants ?? {}, env), because: `\`skillwright trust ${tool.skill}\`` }
  }
}

function sourceOf(named: string, sources: readonly Source[]): string {
  const found = sources.find(({ name, path }) => name === named || path === resolve(named))
  if (found) return found.name
  const names = sources.map(({ name }) => name)
  const [meant] = nearest(named, names, 1)
  throw new TypeError(
    `policies: there is no source ${JSON.stringify(named)}; ${meant ? `did you mean ${meant}?` : `there are ${names.join(', ') || 'none'}`}`,
  )
}

/** A host that scripts may reach is one that HTTP tools may reach too. */
function withGrants(policy: Policy, { network = [], env = [], write = [] }: Grants, all: readonly string[]): Policy {
  if (network.length + env.length + write.length === 0) return policy
  const hosts = (now: Policy['network']) => (now === 'all' ? now : [...(now === 'none' ? [] : now), ...network])
  return freeze({
    ...policy,
    name: `${policy.name}+grants`,
    ...(network.length > 0 && {
      network: hosts(policy.network),
      requests: policy.requests === 'declared' ? policy.requests : (hosts(policy.requests) as readonly string[]),
    }),
    ...(env.length > 0 && { env: [...(policy.env === 'granted' ? all : policy.env), ...env] }),
    ...(write.length > 0 && { write: [...policy.write, ...write] }),
  })
}
