// A user's own policy: what it says is checked, what it leaves out comes from the policy that it extends.
import { isAbsolute } from 'node:path'
import { readHostPattern } from '../network/host-list.ts'
import { nearest } from '../text/nearest.ts'
import type { Limits, Policy } from '../types.ts'
import { freeze, isPolicyName, POLICIES, type PolicyName } from './policies.ts'

/** What a policy of one's own says; the rest is as in `extends`. */
export type PolicyExtension = Partial<Omit<Policy, 'limits'>> & {
  /** Default: `strict`. */
  readonly extends?: PolicyName | Policy
  /** Single limits; `null` takes one away. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | null }
}

export type PolicyReading =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problem: string }

/** Makes a policy of one's own. Throws `TypeError` that names what is wrong. */
export function extendPolicy(extension: PolicyExtension, name?: string): Policy {
  const reading = readPolicy(extension, { name, spell: key => key })
  if (!reading.ok) throw new TypeError(`policy: ${reading.problem}`)
  return reading.policy
}

/** A policy as a program gives it: a name, or all of it. Throws `TypeError`. */
export function toPolicy(given: PolicyName | Policy): Policy {
  if (isPolicyName(given)) return POLICIES[given]
  if (typeof given === 'string') throw new TypeError(`policy: ${unknownPolicy(given, Object.keys(POLICIES))}`)
  const missing = Object.keys(POLICIES.strict).find(key => !Object.hasOwn(given, key))
  if (missing !== undefined) throw new TypeError(`policy: ${missing} is missing; extendPolicy() fills it in`)
  return extendPolicy({ ...given, extends: given }, given.name)
}

export function unknownPolicy(name: string, known: readonly string[]): string {
  const [meant] = nearest(name, known, 1)
  return `there is no policy ${JSON.stringify(name)}; ${meant ? `did you mean ${meant}?` : `there are ${known.join(', ')}`}`
}

type Reading = {
  readonly name?: string | undefined
  /** How a key is written where it was read: `memory_mb` in a file. */
  readonly spell: (key: string) => string
}

/** Reads a policy from data of any shape. Never throws. */
export function readPolicy(given: unknown, { name, spell }: Reading): PolicyReading {
  if (!isRecord(given)) return wrong('a policy is a map such as { extends: strict, network: [api.example.com] }')
  const { extends: extended = 'strict', limits = {}, ...own } = given
  const base = typeof extended === 'string' ? (isPolicyName(extended) ? POLICIES[extended] : undefined) : extended
  if (!isRecord(base)) return wrong(`extends: ${unknownPolicy(String(extended), Object.keys(POLICIES))}`)

  for (const [key, value] of Object.entries(own)) {
    const field = Object.hasOwn(FIELDS, key) ? FIELDS[key as keyof typeof FIELDS] : undefined
    if (!field) return wrong(unknownKey(key, ['extends', 'limits', ...Object.keys(FIELDS)], spell))
    const problem = field(value)
    if (problem) return wrong(`${spell(key)} must be ${problem}`)
  }
  if (!isRecord(limits)) return wrong('limits must be a map such as { memory_mb: 512 }')
  for (const [key, value] of Object.entries(limits)) {
    if (!LIMITS.includes(key)) return wrong(`limits: ${unknownKey(key, LIMITS, spell)}`)
    if (value !== null && value !== undefined && !isLimit(value))
      return wrong(`limits.${spell(key)} must be a number above 0, or null for none`)
  }
  const merged = {
    ...(base as Policy),
    ...(own as Partial<Policy>),
    limits: withoutNulls({ ...(base as Policy).limits, ...limits }),
  }
  const policy = { ...merged, name: name ?? merged.name }
  const useless = policy.sandbox ? [] : needsSandbox(policy).map(spell)
  if (useless.length > 0) return wrong(`without a sandbox nothing can limit ${useless.join(', ')}: extend permissive`)
  return { ok: true, policy: freeze(policy) }
}

/** The rules of a policy that only a sandbox can hold a program to. */
export function needsSandbox({ network, read, write, limits }: Policy): string[] {
  const sandboxed = ['memoryMb', 'processes', 'fileMb', 'writtenMb', 'tempMb'] as const
  return [
    ...(network === 'all' ? [] : ['network']),
    ...(read.includes('/') || write.includes('/') ? [] : ['read']),
    ...(write.includes('/') ? [] : ['write']),
    ...sandboxed.filter(name => limits[name] !== undefined).map(name => `limits.${name}`),
  ]
}

/** Answers what a value should have been, or nothing when it is right. */
type Check = (value: unknown) => string | undefined

const oneOf =
  (...values: readonly unknown[]): Check =>
  value =>
    values.includes(value) ? undefined : `one of ${values.join(', ')}`

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string' && one !== '')

const hosts =
  (...words: readonly string[]): Check =>
  value => {
    if (words.includes(value as string)) return undefined
    const expected = `${words.join(', ')} or a list of hosts such as api.example.com:443`
    if (!isTexts(value)) return expected
    const bad = value.find(entry => !readHostPattern(entry))
    return bad === undefined ? undefined : `${expected}; ${JSON.stringify(bad)} is no host`
  }

const places: Check = value =>
  isTexts(value) && value.every(isPlace)
    ? undefined
    : 'a list of skill, workspace, absolute paths or paths such as ~/data'

const isPlace = (place: string): boolean =>
  place === 'skill' || place === 'workspace' || ((isAbsolute(place) || place.startsWith('~/')) && !place.includes('\0'))

const FIELDS: Readonly<Record<keyof Omit<Policy, 'limits'>, Check>> = {
  name: value => (typeof value === 'string' && /^[\w.+-]{1,64}$/.test(value) ? undefined : 'a short name'),
  sandbox: oneOf(true, false),
  unenforceable: oneOf('error', 'downgrade'),
  network: hosts('none', 'all'),
  requests: hosts('none', 'declared'),
  read: places,
  write: places,
  env: value =>
    value === 'granted' || (isTexts(value) && value.every(name => /^[A-Za-z_]\w*$/.test(name)))
      ? undefined
      : 'granted, or a list of names of variables',
  allowedTools: oneOf('patterns', 'bash', 'ignore'),
  calls: oneOf('own', 'all'),
  approval: oneOf('never', 'destructive', 'always'),
  changed: oneOf('approve', 'run'),
}

/** What is wrong with rights that are granted beyond a policy; undefined when nothing is. */
export function checkGrants(grants: Readonly<Record<string, unknown>>): string | undefined {
  for (const rule of ['network', 'env', 'write'] as const) {
    const problem = grants[rule] === undefined ? undefined : FIELDS[rule](grants[rule])
    if (problem) return `${rule} must be ${problem}`
  }
  return undefined
}

const LIMITS: readonly string[] = [
  'timeSec',
  'memoryMb',
  'processes',
  'outputKb',
  'fileMb',
  'writtenMb',
  'tempMb',
] satisfies (keyof Limits)[]

const isLimit = (value: unknown): boolean => typeof value === 'number' && value > 0 && value <= 2 ** 31

function unknownKey(key: string, known: readonly string[], spell: Reading['spell']): string {
  const [meant] = nearest(key, known, 1)
  return `unknown key ${spell(key)}; ${meant ? `did you mean ${spell(meant)}?` : `known: ${known.map(spell).join(', ')}`}`
}

function withoutNulls(limits: Readonly<Record<string, unknown>>): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null && value !== undefined))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const wrong = (problem: string): PolicyReading => ({ ok: false, problem })
