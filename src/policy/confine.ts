// A policy and the places of one call → the box that its program runs in.
import { existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { isInside } from '../files/inside.ts'
import { OBEYED_PATHS } from '../files/obeyed-paths.ts'
import type { Confinement } from '../sandbox/confinement.ts'
import type { Policy } from '../types.ts'

export type Places = {
  readonly workspace: string
  /** Folder of the tool's own skill. */
  readonly skill: string
  /** Folders that skills come from, also such as do not exist yet. */
  readonly sources: readonly string[]
  /** Folders of all skills. */
  readonly skills: readonly string[]
  /** Files and folders of ours that no program may change: state, audit, configuration, trust. */
  readonly own: readonly string[]
  /** What no program may see, since it tells of other callers; a workspace may lie in it. Default: none. */
  readonly hidden?: readonly string[]
}

export type Confined = {
  readonly confinement: Confinement
  /** What cannot be held to in this layout of folders, in words. */
  readonly gaps: readonly string[]
}

/** More folders than this cannot be hidden one by one. */
const MAX_HIDDEN = 256

export function confine(policy: Policy, places: Places): Confined {
  const skill = realPath(places.skill)
  const workspace = realPath(places.workspace)
  const toPath = (place: string) =>
    place === 'skill' ? skill : place === 'workspace' ? workspace : realPath(place.replace(/^~(?=\/)/, homedir()))
  const write = unique(policy.write.map(toPath))
  const granted = unique([...policy.read.filter(place => place !== 'skill').map(toPath), ...write])
  const sources = unique(places.sources.map(realPath))

  const unseen = [
    ...outermost((places.hidden ?? []).map(realPath)).filter(path => existsSync(path) && liesIn(granted, path)),
    ...hiddenFolders({ granted, sources, skill, skills: places.skills }),
  ]
  const hidden = unseen.slice(0, MAX_HIDDEN)
  const guarded = guardedPaths(places, workspace, write)
  const links = guarded.filter(path => write.some(place => hasLink(place, path)))
  const kept = [...guarded.filter(path => !links.includes(path)), ...links.map(realPath)]
  const protect = outermost(
    kept
      .filter(path => write.some(place => place !== path && isInside(place, path)))
      .filter(path => !hidden.some(folder => isInside(folder, path)))
      .map(topmostMissing),
  )
  const inSource = write.find(place => !isInside(skill, place) && sources.some(source => isInside(source, place)))
  return {
    confinement: {
      read: unique([...granted, skill]).filter(path => !write.includes(path)),
      // What is mounted by itself cannot be renamed away to put something else in its place.
      write: unique([...write, ...foldersOnTheWay(write, [...hidden, ...protect])]),
      hide: hidden,
      protect,
      // Single hosts are let through by a proxy that is opened for each call.
      network: policy.network === 'all' ? 'all' : 'none',
      limits: boxLimits(policy),
    },
    gaps: [
      ...(unseen.length > MAX_HIDDEN ? [`${unseen.length} other skills are too many to hide one by one`] : []),
      ...(inSource === undefined
        ? []
        : [`${inSource} lies in a source of skills, so that scripts can add skills to it`]),
      ...links.map(path => `${path} is reached through a link, which a script could replace`),
    ],
  }
}

/** What is not to be seen although it lies in something readable: whole sources where possible, else skills one by one. */
function hiddenFolders(scope: {
  readonly granted: readonly string[]
  readonly sources: readonly string[]
  readonly skill: string
  readonly skills: readonly string[]
}): string[] {
  const { granted, sources, skill, skills } = scope
  const whole = sources.filter(source => existsSync(source) && liesIn(granted, source))
  return [...whole, ...remembered(skills, JSON.stringify([granted, whole, skill]), () => outermost(single()))]

  /** Both are real paths, so that a prefix tells. */
  function single(): string[] {
    const places = [...granted, ...whole].map(place => ({ place, start: place === '/' ? '/' : `${place}/` }))
    const own = `${skill}/`
    return skills.filter(folder => {
      if (folder === skill || folder.startsWith(own) || granted.includes(folder)) return false
      let nearest = ''
      for (const { place, start } of places)
        if (place.length > nearest.length && (folder === place || folder.startsWith(start))) nearest = place
      return nearest !== '' && !whole.includes(nearest)
    })
  }
}

/** Below one of the places, without being one of them. */
function liesIn(places: readonly string[], path: string): boolean {
  return !places.includes(path) && places.some(place => isInside(place, path))
}

const known = new WeakMap<readonly string[], Map<string, string[]>>()
const REMEMBERED = 64

/** There may be thousands of skills, and every call asks; the same list of skills has the same answer. */
function remembered(skills: readonly string[], key: string, find: () => string[]): string[] {
  const answers = known.get(skills) ?? new Map<string, string[]>()
  known.set(skills, answers)
  const answer = answers.get(key) ?? find()
  if (answers.size >= REMEMBERED) answers.delete(answers.keys().next().value!)
  answers.set(key, answer)
  return answer
}

/** What must stay as it is in everything that may be written; links are not followed yet. */
function guardedPaths(places: Places, workspace: string, write: readonly string[]): string[] {
  const toReal = (path: string) =>
    isInside(places.workspace, path) ? join(workspace, relative(places.workspace, path)) : realPath(path)
  const obeyed = OBEYED_PATHS.map(name => join(workspace, name))
  const found = obeyed.filter(path => lookAt(path) !== undefined && !write.includes(path))
  const isWritten = (source: string) => write.some(place => isInside(realPath(source), place))
  const sources = places.sources.filter(source => !isWritten(source))
  return unique([...[...places.own, ...sources].map(toReal), join(workspace, 'skillwright.yaml'), ...found])
}

function boxLimits({ limits: { timeSec: _, outputKb: __, ...limits } }: Policy): Confinement['limits'] {
  return limits
}

/** Real as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), path.slice(dirname(path).length))
  }
}

/** Of a path that does not exist, the first part that is missing: whoever made that could make the rest. */
function topmostMissing(path: string): string {
  return existsSync(path) || existsSync(dirname(path)) ? path : topmostMissing(dirname(path))
}

function foldersOnTheWay(places: readonly string[], paths: readonly string[]): string[] {
  return unique(places.flatMap(place => paths.flatMap(path => foldersBetween(place, path)))).filter(folder =>
    existsSync(folder),
  )
}

/** Folders below `place` on the way to `path`, whether they exist or not. */
function foldersBetween(place: string, path: string): string[] {
  if (!isInside(place, path)) return []
  const parts = relative(place, path).split(sep).slice(0, -1)
  return parts.map((_, i) => join(place, ...parts.slice(0, i + 1)))
}

function hasLink(place: string, path: string): boolean {
  return isInside(place, path) && [...foldersBetween(place, path), path].some(isLink)
}

/** Undefined also where a file stands in the way: `.git` is one in a worktree. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

const isLink = (path: string): boolean => lookAt(path)?.isSymbolicLink() ?? false

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}

/** Each path once, and none that lies in another one. */
function outermost(paths: readonly string[]): string[] {
  const kept: string[] = []
  // In this order a folder comes right before all that lies in it.
  for (const path of unique(paths).sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1))) {
    const last = kept.at(-1)
    if (last === undefined || !isInside(last, path)) kept.push(path)
  }
  return kept
}
