// Approving a skill as it is now, taking that back, and telling whether a skill still is what was approved.
import type { Skill } from '../types.ts'
import type { Content, Contents } from './content.ts'
import { forgetBelow, type Grants, type TrustRecord, type TrustStore } from './trust-store.ts'

export type TrustOptions = { readonly policy?: TrustRecord['policy']; readonly grants?: Grants }

type Place = Pick<Skill, 'id' | 'folder'>

/** How a skill compares with what was approved. `unpinned`: nothing was. */
export type Pin = {
  readonly state: 'pinned' | 'changed' | 'unpinned'
  readonly record?: TrustRecord
  /** Files that came, went or are others now; absent unless the skill has changed. */
  readonly changes?: readonly FileChange[]
}

export type FileChange = { readonly file: string; readonly change: 'added' | 'changed' | 'removed' }

export type Trust = {
  /** Cheap when nothing changed. A folder that cannot be read has changed. Never throws. */
  pinOf(skill: Place): Promise<Pin>
  /** Approves a skill as it is now; what was granted before is replaced. Throws an `Error` that says why it could not. */
  trust(skill: Place, options?: TrustOptions): Promise<TrustRecord>
  /** Approves skills as they are now. What was granted stays with those that have not changed, and ends for the others. */
  pin(skills: readonly Place[]): Promise<readonly TrustRecord[]>
  /** The hash of a skill as it is now; undefined when it cannot be read. Never throws. */
  hashOf(skill: Place): Promise<string | undefined>
  /** Approves a skill, without grants, if it still has this hash; tells whether it has. Throws an `Error` that says why it could not. */
  pinAs(skill: Place, hash: string | undefined): Promise<boolean>
  /** Takes back what was approved for the skills in a folder. */
  forget(folder: string): Promise<void>
  problem(): string | undefined
}

export function createTrust(store: TrustStore, contents: Contents): Trust {
  return {
    problem: store.problem,
    async pinOf({ folder }) {
      const record = store.find(folder)
      if (!record) return { state: 'unpinned' }
      try {
        const content = await contents.of(folder)
        if (content.hash === record.hash) return { state: 'pinned', record }
        return { state: 'changed', record, changes: compare(record.files, content.files) }
      } catch {
        return { state: 'changed', record }
      }
    },
    async trust(skill, { policy, grants } = {}) {
      const record = {
        ...toRecord(skill, await contents.of(skill.folder)),
        ...(policy !== undefined && { policy }),
        ...(grants && Object.values(grants).some(list => list.length > 0) && { grants }),
      }
      await store.change(records => void records.set(skill.folder, record))
      return record
    },
    async pin(skills) {
      const fresh: TrustRecord[] = []
      for (const skill of skills) fresh.push(toRecord(skill, await contents.of(skill.folder)))
      await store.change(records => {
        for (const record of fresh)
          if (records.get(record.folder)?.hash !== record.hash) records.set(record.folder, record)
      })
      return fresh
    },
    hashOf: ({ folder }) =>
      contents.of(folder).then(
        ({ hash }) => hash,
        () => undefined,
      ),
    async pinAs(skill, hash) {
      const content = await contents.of(skill.folder)
      if (content.hash !== hash) return false
      await store.change(records => void records.set(skill.folder, toRecord(skill, content)))
      return true
    },
    forget: folder => store.change(records => forgetBelow(records, folder)),
  }
}

function toRecord({ id, folder }: Place, { hash, files }: Content): TrustRecord {
  return { id, folder, hash, files: Object.fromEntries(files), time: new Date().toISOString() }
}

function compare(before: TrustRecord['files'], now: Content['files']): FileChange[] {
  const removed = Object.keys(before).filter(file => !now.has(file))
  const others = [...now].filter(([file, hash]) => !Object.hasOwn(before, file) || before[file] !== hash)
  return [
    ...others.map(([file]) => ({
      file,
      change: Object.hasOwn(before, file) ? ('changed' as const) : ('added' as const),
    })),
    ...removed.map(file => ({ file, change: 'removed' as const })),
  ]
}
