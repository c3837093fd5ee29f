// What one caller sees of a snapshot. Everything that discovery answers is made from such a view, so that what a caller may not
// use can leave no trace: not in a count, a group, a hint, or the weight of a word.
import { createHash } from 'node:crypto'
import { createTimeSlice } from '../files/time-slice.ts'
import type { Caller, Skill, Snapshot, Tool } from '../types.ts'
import { isVisible } from '../visibility.ts'
import { type AboutCategories, type AboutCategory, declaredTags, placeKey, placesOf, toPath } from './categories.ts'
import { type CategoryTree, createCategoryTree } from './category-tree.ts'
import { toDocument } from './search-document.ts'
import { createSearchIndex, type SearchIndex, type SearchIndexOptions } from './search-index.ts'
import { versionOf } from './tool-version.ts'

export type View = {
  readonly tools: ReadonlyMap<string, Tool>
  readonly skills: ReadonlyMap<string, Skill>
  /** What is known about categories beyond their tools. */
  readonly categories: ReadonlyMap<string, AboutCategory>
  /** The same in every process that sees the same. */
  version(): string
  tree(): CategoryTree
  /** The search index, brought up to date. */
  index(): Promise<SearchIndex>
}

export type Views = { of(snapshot: Snapshot, caller: Caller | undefined): View }

/** Callers with other roles see other tools; of so many kinds of callers the views are kept. */
const MAX_VIEWS = 8

export type ViewOptions = { readonly categories?: AboutCategories | undefined } & SearchIndexOptions

/** Throws `TypeError` on an impossible embedder. */
export function createViews({ categories: about = {}, ...search }: ViewOptions = {}): Views {
  // Indexes are made when somebody searches, but a programmer's mistake is told at once.
  createSearchIndex(search)
  const categories = new Map(Object.entries(about).map(([path, one]) => [placeKey(toPath(path)), one]))
  const entries = new Map<string, { readonly snapshot: Snapshot; readonly view: View; readonly keeper: IndexKeeper }>()
  const boundRoles = new WeakMap<Snapshot, ReadonlySet<string>>()
  return {
    of(snapshot, caller) {
      const key = keyOf(snapshot, caller)
      const before = entries.get(key)
      const entry = before?.snapshot === snapshot ? before : renew()
      entries.delete(key)
      entries.set(key, entry)
      if (entries.size > MAX_VIEWS) entries.delete(entries.keys().next().value!)
      return entry.view

      function renew() {
        const tools = new Map([...snapshot.tools].filter(([, tool]) => isVisible(tool, caller)))
        const keeper = before?.keeper ?? createIndexKeeper(search)
        const isSame = before && isSameView(before.view, tools, snapshot.skills)
        return {
          snapshot,
          keeper,
          view: isSame ? before.view : createView({ tools, skills: snapshot.skills, categories }, keeper),
        }
      }
    },
  }

  /** The roles of the caller that make a difference. */
  function keyOf(snapshot: Snapshot, caller: Caller | undefined): string {
    const known = boundRoles.get(snapshot) ?? new Set([...snapshot.tools.values()].flatMap(tool => tool.roles ?? []))
    boundRoles.set(snapshot, known)
    return JSON.stringify([...new Set(caller?.roles)].filter(role => known.has(role)).toSorted())
  }
}

function createView(parts: Pick<View, 'tools' | 'skills' | 'categories'>, keeper: IndexKeeper): View {
  const { tools, skills } = parts
  let tree: CategoryTree | undefined
  let version: string | undefined
  return {
    ...parts,
    version() {
      version ??= hashOf(tools, skills)
      return version
    },
    tree() {
      tree ??= createCategoryTree(tools.values(), skills)
      return tree
    },
    index: () => keeper.bring(tools, skills),
  }
}

function hashOf(tools: View['tools'], skills: View['skills']): string {
  const hash = createHash('sha256')
  for (const id of [...tools.keys()].sort()) {
    const tool = tools.get(id)!
    const skill = skills.get(tool.skill)
    const standing = [placesOf(tool, skill), declaredTags(tool, skill), skill?.description]
    hash.update(`${id}\0${versionOf(tool)}\0${JSON.stringify(standing)}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** A snapshot may differ only in what the caller does not see. */
function isSameView(view: View, tools: View['tools'], skills: View['skills']): boolean {
  if (view.tools.size !== tools.size) return false
  for (const [id, tool] of tools) {
    const other = view.tools.get(id)
    if (!other || !isSameTool(other, view.skills, tool, skills)) return false
  }
  return true
}

function isSameTool(a: Tool, skillsOfA: View['skills'], b: Tool, skillsOfB: View['skills']): boolean {
  const [skillA, skillB] = [skillsOfA.get(a.skill), skillsOfB.get(b.skill)]
  const isSameSkill = skillA === skillB || JSON.stringify(skillA) === JSON.stringify(skillB)
  return isSameSkill && (a === b || JSON.stringify(a) === JSON.stringify(b))
}

type IndexKeeper = { bring(tools: View['tools'], skills: View['skills']): Promise<SearchIndex> }

const BATCH = 200

/** One index that follows the tools: only what came, went or changed is touched. */
function createIndexKeeper(options: SearchIndexOptions): IndexKeeper {
  const index = createSearchIndex(options)
  let held: Pick<View, 'tools' | 'skills'> = { tools: new Map(), skills: new Map() }
  let queue: Promise<unknown> = Promise.resolve()
  return {
    bring(tools, skills) {
      const turn = queue.then(() => follow(tools, skills))
      // A turn that fails is told to whoever asked for it; the next one begins anew.
      queue = turn.catch(() => {})
      return turn
    },
  }

  async function follow(tools: View['tools'], skills: View['skills']): Promise<SearchIndex> {
    if (held.tools === tools) return index
    const remove = [...held.tools.keys()].filter(id => !tools.has(id))
    const changed = [...tools.values()].filter(tool => {
      const other = held.tools.get(tool.id)
      return !other || !isSameTool(other, held.skills, tool, skills)
    })
    index.update({ put: [], remove })
    // Ten thousand tools are indexed without keeping other requests from their turn.
    const slice = createTimeSlice()
    for (let i = 0; i < changed.length; i += BATCH) {
      const put = changed.slice(i, i + BATCH).map(tool => toDocument(tool, skills.get(tool.skill)))
      index.update({ put, remove: [] })
      if (slice.spent()) await slice.rest()
    }
    held = { tools, skills }
    return index
  }
}
