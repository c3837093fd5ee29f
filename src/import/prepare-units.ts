// Offers → finished folders beside the target, each compared with what the target has.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkNames } from './check-names.ts'
import { describeFolder, skillsIn } from './find-units.ts'
import { hashFolder } from './hash-folder.ts'
import { checkCancelled, ImportError, type ImportErrorCode, quote } from './import-error.ts'
import type { Lock, LockEntry } from './lock-file.ts'
import type { Offer } from './offer.ts'
import { type ImportSource, sourceText } from './parse-source.ts'
import type { ImportScope } from './scope.ts'
import type { Staging } from './staging.ts'

export type Unit = {
  readonly name: string
  /** `taken`: the target has a folder of this name that an import would destroy. */
  readonly status: 'added' | 'replaced' | 'unchanged' | 'taken'
  /** Ids of its skills. */
  readonly ids: readonly string[]
  readonly entry: LockEntry
  readonly before?: LockEntry
}

type Preparing = {
  readonly source: ImportSource
  /** The commit of the whole source. */
  readonly commit: string | undefined
  readonly lock: Lock
  readonly force: boolean
  /** Whether an offer that cannot be had is an error, or only noted. */
  readonly strict: boolean
}

/** Puts the offers together in the staging folder. Throws `ImportError`; nothing is in the target yet. */
export async function prepareUnits(
  offers: readonly Offer[],
  staging: Staging,
  scope: ImportScope,
  preparing: Preparing,
): Promise<Unit[]> {
  const units: Unit[] = []
  const failures: ImportError[] = []
  for (const offer of offers) {
    checkCancelled(scope.signal)
    try {
      units.push(await prepare(offer, staging, preparing))
    } catch (error) {
      const mayBeSkipped = !preparing.strict && error instanceof ImportError && SKIPPED.has(error.code)
      if (!mayBeSkipped) throw error
      failures.push(error)
      rmSync(staging.place(offer.name), { recursive: true, force: true })
      scope.note(`${quote(offer.name)} was left out: ${error.message}`)
    }
  }
  if (units.length === 0 && failures[0]) throw failures[0]
  return units
}

/** Nobody who wants all of a listing can mend its dead entries. */
const SKIPPED: ReadonlySet<ImportErrorCode> = new Set([
  'NO_SKILL',
  'SOURCE_UNSUPPORTED',
  'SOURCE_UNREADABLE',
  'GIT_FAILED',
  'DOWNLOAD_FAILED',
])

async function prepare(
  offer: Offer,
  { target, place }: Staging,
  { source, commit, lock, force }: Preparing,
): Promise<Unit> {
  const { name } = offer
  const staged = place(name)
  const brought = await offer.bring(staged)
  const ids = (await skillsIn(staged)).map(({ id }) => id)
  if (ids.length === 0) {
    const message = `${quote(name)} has no SKILL.md. ${describeFolder(staged)}`
    throw new ImportError('NO_SKILL', message, 'Leave it out: only skills are imported.')
  }
  checkNames(staged)
  const before = lock.get(name)
  const hash = await hashFolder(staged, { sync: true })
  const origin = brought.commit ?? commit
  const fresh: LockEntry = {
    kind: offer.kind,
    source: sourceText(source),
    sourceType: source.type,
    ...(source.ref !== undefined && { ref: source.ref }),
    ...(origin !== undefined && { commit: origin }),
    skillPath: offer.path,
    hash,
    importedAt: new Date().toISOString(),
  }
  const status = await compare(join(target, name), { hash, before, force })
  if (status === 'unchanged' || status === 'taken') rmSync(staged, { recursive: true })
  const entry = before && isSame(before, fresh) ? before : fresh
  return { name, status, ids, entry, ...(before && { before }) }
}

async function compare(
  folder: string,
  { hash, before, force }: { readonly hash: string; readonly before: LockEntry | undefined; readonly force: boolean },
): Promise<Unit['status']> {
  if (!existsSync(folder)) return 'added'
  const present = await hashFolder(folder)
  if (present === hash) return 'unchanged'
  return force || present === before?.hash ? 'replaced' : 'taken'
}

/** Importing the same again leaves the lock file as it is. */
function isSame(before: LockEntry, fresh: LockEntry): boolean {
  return JSON.stringify({ ...before, importedAt: '' }) === JSON.stringify({ ...fresh, importedAt: '' })
}
