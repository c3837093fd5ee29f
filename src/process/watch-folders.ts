// Whether folders grow more than allowed. Processes that nobody waits for take their counts with them; their files stay.
import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A look at the files must not hold the host up; a tree too large for it is left to the counts of the processes. */
const BUDGET_MS = 30

/** Asks whether files changed since now hold more than `limit` bytes. They are looked at only when the disk has got fuller by as much. */
export function watchFolders(folders: readonly string[], limit: number): () => boolean {
  const since = Date.now()
  const before = folders.map(freeOn)
  return () =>
    folders.some((folder, index) => before[index]! - freeOn(folder) > limit && changedIn(folder, since) > limit)
}

function freeOn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}

/** The time of the last change is set by the system alone. */
function changedIn(folder: string, since: number): number {
  const deadline = performance.now() + BUDGET_MS
  const waiting = [folder]
  let total = 0
  for (let next = waiting.pop(); next !== undefined && performance.now() < deadline; next = waiting.pop()) {
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) total += sizeSince(path, since)
    }
  }
  return total
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function sizeSince(path: string, since: number): number {
  const found = statSync(path, { throwIfNoEntry: false })
  // Times of files are a little coarser than the clock.
  return found && found.ctimeMs >= since - 10 ? found.blocks * 512 : 0
}
