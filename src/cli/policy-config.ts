// The keys `policy` and `policies` of skillwright.yaml: names are snake_case there, and camelCase in the code.
import type { PolicyRule } from '../policy/assign-policy.ts'
import { POLICIES } from '../policy/policies.ts'
import { readPolicy, unknownPolicy } from '../policy/read-policy.ts'
import { nearest } from '../text/nearest.ts'
import type { Policy } from '../types.ts'
import { UsageError } from './usage-error.ts'

export type PolicyConfig = {
  /** By name: the three that everybody has, and the file's own. */
  readonly known: ReadonlyMap<string, Policy>
  readonly rules: readonly PolicyRule[]
}

const PARTS = ['own', 'sources', 'skills', 'tools']

/** Reads `policies`. Throws `UsageError` that names file and key. */
export function readPolicies(value: unknown, file: string): PolicyConfig {
  const wrong = (message: string) => new UsageError(`${file}: policies${message}`)
  if (!isRecord(value)) throw wrong(` must be a map of ${PARTS.join(', ')}`)
  const strange = Object.keys(value).find(key => !PARTS.includes(key))
  if (strange !== undefined) {
    const [meant] = nearest(strange, PARTS, 1)
    throw wrong(`: unknown key ${strange}; ${meant ? `did you mean ${meant}?` : `known: ${PARTS.join(', ')}`}`)
  }
  const part = (name: string): [string, unknown][] => {
    const found = value[name] ?? {}
    if (!isRecord(found)) throw wrong(`.${name} must be a map`)
    return Object.entries(found)
  }

  const known = new Map<string, Policy>(Object.entries(POLICIES))
  const readOne = (given: unknown, at: string, name?: string): Policy => {
    if (typeof given === 'string') {
      const named = known.get(given)
      if (!named) throw wrong(`.${at}: ${unknownPolicy(given, [...known.keys()])}`)
      return named
    }
    const reading = readPolicy(toCamelKeys(given), { name: name ?? at, spell: toSnake })
    if (!reading.ok) throw wrong(`.${at}: ${reading.problem}`)
    return reading.policy
  }
  for (const [name, given] of part('own')) {
    if (known.has(name)) throw wrong(`.own.${name}: the name is taken`)
    known.set(name, readOne(given, `own.${name}`, name))
  }
  return {
    known,
    rules: [
      ...part('sources').map(([source, given]) => ({ source, policy: readOne(given, `sources.${source}`) })),
      ...part('skills').map(([skill, given]) => ({ skill, policy: readOne(given, `skills.${skill}`) })),
      ...part('tools').map(([tool, given]) => ({ tool, policy: readOne(given, `tools.${tool}`) })),
    ],
  }
}

/** The policy of this name. Throws `UsageError` with the nearest one. */
export function policyNamed(name: string, known: ReadonlyMap<string, Policy>, where: string): Policy {
  const policy = known.get(name)
  if (policy) return policy
  throw new UsageError(`${where}: ${unknownPolicy(name, [...known.keys()])}`)
}

/** A policy as it is written in a file. */
export function toSnakeKeys(policy: Policy): Record<string, unknown> {
  const rename = (fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [toSnake(key), value]))
  return { ...rename(policy), limits: rename(policy.limits) }
}

function toCamelKeys(value: unknown): unknown {
  if (!isRecord(value)) return value
  const rename = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).map(([key, one]) => [toCamel(key), one]))
  return rename({ ...value, ...(isRecord(value['limits']) && { limits: rename(value['limits']) }) })
}

const toSnake = (key: string): string => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const toCamel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
