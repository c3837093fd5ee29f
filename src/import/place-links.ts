// Links inside a source become copies of what they point to: an imported skill has plain files only, and stays whole when
// it is taken out of the tree that it was linked into.
import { lstatSync } from 'node:fs'
import { isAbsolute, join, posix } from 'node:path'
import type { Budget } from './budget.ts'
import { copyTree } from './copy-tree.ts'
import { pathParts } from './entry-path.ts'
import { ImportError, quote } from './import-error.ts'

export type Link = { readonly path: string; readonly target: string }

type LinkScope = { readonly budget: Budget; readonly note: (text: string) => void }

/** Puts copies in the places of links. A broken or endless one is left out with a note. Throws on one that leads out. */
export function placeLinks(links: readonly Link[], root: string, scope: LinkScope): void {
  if (links.length > MAX_LINKS)
    throw refuse(links[MAX_LINKS]!, `is one of more than ${MAX_LINKS} links`, 'Replace links in the source by files.')
  let waiting = links.map(link => ({ ...link, goal: goalOf(link) }))

  // A link can point to, or through, another one: what can be copied is copied, as often as that helps.
  for (let round = 0; round < MAX_ROUNDS && waiting.length > 0; round++) {
    const before = waiting.length
    waiting = waiting.filter(link => !place(link))
    if (waiting.length === before) break
  }
  for (const { path, target } of waiting)
    scope.note(
      `The link ${quote(path)} → ${quote(target)} points to nothing, or to a folder that contains it, and was left out.`,
    )

  function place({ path, goal }: { readonly path: string; readonly goal: string }): boolean {
    const from = join(root, goal)
    const found = lstatSync(from, { throwIfNoEntry: false })
    if (!found) return false
    if (found.isDirectory() && waiting.some(other => isBelow(other.path, goal) && !exists(other.path))) return false
    copyTree(from, join(root, path), scope.budget)
    return true
  }

  function exists(path: string): boolean {
    return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined
  }
}

/** Where the link points to, as a path below the root. */
function goalOf(link: Link): string {
  const { path, target } = link
  if (isAbsolute(target) || /^[A-Za-z]:|\\/.test(target)) throw leadsOut(link)
  const goal = posix.normalize(posix.join(posix.dirname(path), target)).replace(/\/$/, '')
  if (goal === '..' || goal.startsWith('../')) throw leadsOut(link)
  return pathParts(goal).join('/')
}

const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)

function leadsOut(link: Link): ImportError {
  return refuse(link, `leads out of the source, to ${quote(link.target)}`, 'Replace the link by what it points to.')
}

function refuse(link: Link, why: string, hint: string): ImportError {
  return new ImportError('ENTRY_REFUSED', `The link ${quote(link.path)} ${why}.`, hint)
}

const MAX_LINKS = 1000
/** As deep as Linux follows. */
const MAX_ROUNDS = 40
