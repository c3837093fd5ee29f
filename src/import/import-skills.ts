import { join } from 'node:path'
import { isInside } from '../files/inside.ts'
import { importedFolder } from '../skills/sources.ts'
import { type Choice, choose, findOffers } from './find-offers.ts'
import { checkCancelled, ImportError } from './import-error.ts'
import { lockFileOf } from './lock-file.ts'
import { type ImportSource, parseSource } from './parse-source.ts'
import { pinImports } from './pin-imports.ts'
import { prepareUnits, type Unit } from './prepare-units.ts'
import { createScope, type FetchOptions, type TargetOptions } from './scope.ts'
import { type Staging, type StagingOptions, withStaging } from './staging.ts'

export type ImportOptions = FetchOptions &
  Choice & {
    /** Names to import; default: everything that the source has, except from a listing of several. */
    readonly names?: readonly string[]
    /** Everything that a listing has: the plugins of a marketplace, the skills of a site. */
    readonly all?: boolean
  }

/** One import: a skill, or a plugin with its skills. */
export type ImportedSkill = {
  /** The name of its folder in the target. */
  readonly name: string
  readonly kind: 'skill' | 'plugin'
  readonly status: 'added' | 'replaced' | 'unchanged'
  readonly folder: string
  /** Ids of its skills as a runtime gives them, unless another skill has the name already. */
  readonly ids: readonly string[]
  /** `sha256:<hex>` over paths, run bits and bytes. */
  readonly hash: string
  readonly commit?: string
}

export type ImportResult = {
  readonly target: string
  readonly lockFile: string
  readonly skills: readonly ImportedSkill[]
  /** What was left out, and why. */
  readonly notes: readonly string[]
}

/**
 * Imports skills from a folder, an archive, a git repository, a marketplace or a site's index. Either all of it is in the
 * target afterwards, or nothing has changed. Throws `ImportError`.
 */
export async function importSkills(text: string, options: ImportOptions = {}): Promise<ImportResult> {
  const source = parseSource(text)
  const into = options.into ?? importedFolder()
  const notes: string[] = []
  return withStaging(into, stagingOptions(options), async staging => {
    checkOverlap(source, staging.target)
    const scope = createScope(staging.work, source, options, note => notes.push(note))
    const found = await findOffers(source, scope)
    const units = await prepareUnits(choose(found, options), staging, scope, {
      source,
      commit: found.commit,
      lock: staging.lock,
      force: options.force ?? false,
      strict: !options.all,
    })
    const taken = units.filter(unit => unit.status === 'taken')
    if (taken.length > 0) throw targetTaken(taken, staging.target)
    checkCancelled(scope.signal)
    for (const unit of units) scope.tell('installing', unit.name)
    install(units, staging)
    await pinImports(
      units.map(unit => unit.name),
      { target: staging.target, trustFile: options.trustFile, note: scope.note },
    )
    return {
      target: staging.target,
      lockFile: lockFileOf(staging.target),
      skills: units.map(unit => imported(unit, staging)),
      notes,
    }
  })
}

/** Brings finished units into the target, together with their lock entries. */
export function install(units: readonly Unit[], { lock, commit }: Pick<Staging, 'lock' | 'commit'>): void {
  const put = units.filter(unit => unit.status === 'added' || unit.status === 'replaced').map(unit => unit.name)
  if (put.length === 0 && units.every(unit => unit.entry === unit.before)) return
  commit({ put, drop: [], lock: new Map([...lock, ...units.map(unit => [unit.name, unit.entry] as const)]) })
}

export function stagingOptions({ signal, onProgress }: TargetOptions): StagingOptions {
  return {
    signal: signal ?? new AbortController().signal,
    onWait: (subject: string) => onProgress?.({ phase: 'waiting', subject, entries: 0, bytes: 0 }),
  }
}

function imported({ name, status, ids, entry }: Unit, { target }: Staging): ImportedSkill {
  return {
    name,
    kind: entry.kind,
    status: status as ImportedSkill['status'],
    folder: join(target, name),
    ids,
    hash: entry.hash,
    ...(entry.commit !== undefined && { commit: entry.commit }),
  }
}

function checkOverlap(source: ImportSource, target: string): void {
  if (source.type !== 'folder') return
  if (!isInside(source.location, target) && !isInside(target, source.location)) return
  const message = `${source.location} and the target ${target} contain one another.`
  throw new ImportError('SOURCE_UNSUPPORTED', message, 'Import into another folder: --into <folder>.')
}

function targetTaken(units: readonly Unit[], target: string): ImportError {
  const names = units.map(unit => unit.name).join(', ')
  const why = units[0]!.before ? 'was edited after it was imported' : 'was not imported'
  return new ImportError(
    'TARGET_TAKEN',
    `${names} in ${target} ${why} and would be lost.`,
    'Move it away, import into another folder, or replace it with --force.',
  )
}
