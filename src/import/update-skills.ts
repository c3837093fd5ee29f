import { importedFolder } from '../skills/sources.ts'
import { nearest } from '../text/nearest.ts'
import { findOffers } from './find-offers.ts'
import { ImportError, quote } from './import-error.ts'
import { install, stagingOptions } from './import-skills.ts'
import { type Lock, type LockEntry, lockFileOf } from './lock-file.ts'
import { parseSource } from './parse-source.ts'
import { pinImports } from './pin-imports.ts'
import { prepareUnits, type Unit } from './prepare-units.ts'
import { createScope, type FetchOptions } from './scope.ts'
import { type Staging, withStaging } from './staging.ts'

export type UpdateOptions = FetchOptions & {
  /** Names to update. Default: all that were imported. */
  readonly names?: readonly string[]
}

export type UpdatedSkill = {
  readonly name: string
  /**
   * `edited`: changed here since the import, so that it was left alone; `gone`: its source no longer has it; `failed`: its
   * source could not be fetched. In all three the skill is as it was.
   */
  readonly status: 'added' | 'replaced' | 'unchanged' | 'edited' | 'gone' | 'failed'
  readonly source: string
  readonly from: { readonly hash: string; readonly commit?: string }
  readonly to?: { readonly hash: string; readonly commit?: string }
  readonly message?: string
  readonly hint?: string
}

export type UpdateResult = {
  readonly target: string
  readonly lockFile: string
  readonly skills: readonly UpdatedSkill[]
  readonly notes: readonly string[]
}

/**
 * Fetches imports again from where they came from, and replaces those that changed there. One source that fails does not
 * keep the others from being updated. Throws `ImportError`.
 */
export async function updateSkills(options: UpdateOptions = {}): Promise<UpdateResult> {
  const notes: string[] = []
  return withStaging(options.into ?? importedFolder(), stagingOptions(options), async staging => {
    const wanted = wantedEntries(staging, options.names)
    const skills: UpdatedSkill[] = []
    let lock: Lock = staging.lock
    for (const group of bySource(wanted)) {
      try {
        const units = await updateGroup(group, { ...staging, lock }, options, notes)
        const installed = units.filter(unit => unit.status !== 'taken')
        lock = new Map([...lock, ...installed.map(unit => [unit.name, unit.entry] as const)])
        skills.push(...group.map(([name, entry]) => updated(name, entry, units)))
      } catch (error) {
        if (!(error instanceof ImportError) || error.code === 'CANCELLED') throw error
        const { message, hint } = error
        skills.push(
          ...group.map(([name, entry]) => ({ ...before(name, entry), status: 'failed' as const, message, hint })),
        )
      }
    }
    skills.sort((a, b) => (a.name < b.name ? -1 : 1))
    return { target: staging.target, lockFile: lockFileOf(staging.target), skills, notes }
  })
}

type Named = readonly [name: string, entry: LockEntry]

async function updateGroup(
  group: readonly Named[],
  staging: Staging,
  options: UpdateOptions,
  notes: string[],
): Promise<Unit[]> {
  const { source: text, ref } = group[0]![1]
  const source = parseSource(ref === undefined ? text : `${text}#${ref}`)
  const scope = createScope(staging.work, source, options, note => notes.push(note))
  const found = await findOffers(source, scope)
  const names = new Set(group.map(([name]) => name))
  const offers = found.offers.filter(offer => names.has(offer.name))
  const units = await prepareUnits(offers, staging, scope, {
    source,
    commit: found.commit,
    lock: staging.lock,
    force: options.force ?? false,
    strict: true,
  })
  const free = units.filter(unit => unit.status !== 'taken')
  for (const unit of free) scope.tell('installing', unit.name)
  install(free, staging)
  await pinImports(
    free.map(unit => unit.name),
    { target: staging.target, trustFile: options.trustFile, note: scope.note },
  )
  return units
}

function wantedEntries({ lock, target }: Staging, names: readonly string[] = []): Named[] {
  const missing = names.find(name => !lock.has(name))
  if (missing !== undefined) throw notImported(missing, lock, target)
  return names.length === 0 ? [...lock] : [...new Set(names)].map(name => [name, lock.get(name)!])
}

/** Each source is fetched once. */
function bySource(entries: readonly Named[]): Named[][] {
  const groups = new Map<string, Named[]>()
  for (const named of entries) {
    const key = `${named[1].source}#${named[1].ref ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), named])
  }
  return [...groups.values()]
}

function updated(name: string, entry: LockEntry, units: readonly Unit[]): UpdatedSkill {
  const unit = units.find(one => one.name === name)
  if (!unit)
    return {
      ...before(name, entry),
      status: 'gone',
      message: `${entry.source} no longer has it.`,
      hint: `Keep it, or remove it: skillwright remove ${name}`,
    }
  const to = versionOf(unit.entry)
  if (unit.status !== 'taken') return { ...before(name, entry), status: unit.status, to }
  const hint = 'Move your copy away, or give up your changes with --force.'
  return { ...before(name, entry), status: 'edited', to, message: 'It was changed here since it was imported.', hint }
}

function before(name: string, entry: LockEntry): Pick<UpdatedSkill, 'name' | 'source' | 'from'> {
  return { name, source: entry.source, from: versionOf(entry) }
}

function versionOf({ hash, commit }: LockEntry): { hash: string; commit?: string } {
  return { hash, ...(commit !== undefined && { commit }) }
}

export function notImported(name: string, lock: Lock, target: string): ImportError {
  const close = nearest(name, lock.keys())
  const hint = close.length > 0 ? `Did you mean ${close.join(', ')}?` : `${lockFileOf(target)} lists what was imported.`
  return new ImportError('NOT_IMPORTED', `${quote(name)} was not imported into ${target}.`, hint)
}
