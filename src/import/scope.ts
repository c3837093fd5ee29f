import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Budget, createBudget, type ImportLimits, LIMITS } from './budget.ts'
import type { Fetch } from './download.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import type { ImportSource } from './parse-source.ts'

/** How far an import is. */
export type ImportProgress = {
  readonly phase: 'waiting' | 'fetching' | 'unpacking' | 'installing'
  /** What it is at: a URL, a name, or who is waited for. */
  readonly subject: string
  readonly entries: number
  readonly bytes: number
  /** Bytes that will come, when that is known. */
  readonly totalBytes?: number
}

/** What importing, updating and removing have in common. */
export type TargetOptions = {
  /** The folder that imports go to. Default: `skillwright/skills` in the user's data folder, a default source. */
  readonly into?: string
  /** Where approvals of skills are kept. Default: `skillwright/trust.json` in the user's state folder. */
  readonly trustFile?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
}

export type FetchOptions = TargetOptions & {
  /** Replaces folders too that were edited since, or were never imported. Default: false. */
  readonly force?: boolean
  readonly limits?: Partial<ImportLimits>
  /** Used for downloads. Default: one with the address rules of HTTP tools; only the source's own host may be private. */
  readonly fetch?: Fetch
  /** The environment that `git` gets. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv
}

/** What the steps of bringing one source share. */
export type ImportScope = {
  readonly budget: Budget
  readonly signal: AbortSignal
  readonly fetch: Fetch
  readonly env: NodeJS.ProcessEnv
  readonly note: (text: string) => void
  readonly tell: (phase: ImportProgress['phase'], subject: string, fetched?: Fetched) => void
  /** A path in the working folder that nothing has yet. */
  readonly fresh: () => string
}

type Fetched = { readonly bytes: number; readonly total?: number | undefined }

export function createScope(
  work: string,
  { location }: Pick<ImportSource, 'location'>,
  options: FetchOptions,
  note: (text: string) => void,
): ImportScope {
  const budget = createBudget({ ...LIMITS, ...options.limits })
  const folder = join(work, randomUUID())
  mkdirSync(folder)
  return {
    budget,
    signal: options.signal ?? new AbortController().signal,
    fetch: options.fetch ?? createGuardedFetch(URL.canParse(location) ? [new URL(location).host].filter(Boolean) : []),
    env: options.env ?? process.env,
    note,
    tell(phase, subject, fetched) {
      const { entries, bytes } = budget.used()
      const total = fetched?.total === undefined ? {} : { totalBytes: fetched.total }
      options.onProgress?.({ phase, subject, entries, bytes: fetched?.bytes ?? bytes, ...total })
    },
    fresh: () => join(folder, randomUUID()),
  }
}
