// All files below a folder, without those that ignore files leave out. Links are not followed.
import { closeSync, constants, type Dirent, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type HeldFolder, holdChild } from '../files/held-folder.ts'
import { type IgnoreRules, isIgnored, parseIgnoreFile } from '../files/ignore-rules.ts'
import { createTimeSlice } from '../files/time-slice.ts'
import type { BuiltinCall } from './builtin.ts'
import { listFolder, namesBelow, type Workspace } from './workspace.ts'

export type FoundFile = {
  readonly folder: HeldFolder
  readonly name: string
  /** The names that lead to it from the folder where the walk began. */
  readonly names: readonly string[]
}

export type WalkOptions = Pick<BuiltinCall, 'workspace' | 'signal' | 'deadline'>

/** `stopped`: `visit` had enough. */
export type WalkEnd = 'complete' | 'stopped' | 'too-many' | 'out-of-time'

const MAX_DEPTH = 64
const MAX_FILES = 200_000
const MAX_IGNORE_BYTES = 256 * 1024

/** Visits files in order of their names until `visit` answers false. Throws when the call is cancelled. */
export async function walkFiles(
  start: HeldFolder,
  { workspace, signal, deadline }: WalkOptions,
  visit: (file: FoundFile) => boolean | Promise<boolean>,
): Promise<WalkEnd> {
  const slice = createTimeSlice()
  const above = namesOf(workspace, start)
  let seen = 0
  return enter(start, [], rulesAbove(workspace, start))

  async function enter(
    folder: HeldFolder,
    names: readonly string[],
    around: IgnoreRules | undefined,
  ): Promise<WalkEnd> {
    const entries = listQuietly(folder).sort(byName)
    const rules = rulesOf(folder, entries, above.length + names.length, around)
    for (const entry of entries) {
      if (slice.spent()) await slice.rest()
      signal.throwIfAborted()
      if (performance.now() > deadline) return 'out-of-time'
      const own = [...names, entry.name]
      if (isIgnored(rules, [...above, ...own], entry.isDirectory())) continue
      if (workspace.hidden.includes(join(folder.path, entry.name))) continue
      if (entry.isFile()) {
        if (++seen > MAX_FILES) return 'too-many'
        if (!(await visit({ folder, name: entry.name, names: own }))) return 'stopped'
      } else if (entry.isDirectory() && own.length < MAX_DEPTH) {
        const end = await descend(folder, entry.name, own, rules)
        if (end !== 'complete') return end
      }
    }
    return 'complete'
  }

  async function descend(
    folder: HeldFolder,
    name: string,
    names: readonly string[],
    rules: IgnoreRules | undefined,
  ): Promise<WalkEnd> {
    const inner = holdQuietly(folder, name)
    if (!inner) return 'complete'
    try {
      return await enter(inner, names, rules)
    } finally {
      inner.close()
    }
  }
}

/** The rules of the folders above, outermost first. */
export function rulesAbove(workspace: Workspace, folder: HeldFolder): IgnoreRules | undefined {
  const names = namesOf(workspace, folder)
  let rules: IgnoreRules | undefined
  for (const depth of names.keys()) {
    const text = readIgnoreFile([workspace.root, ...names.slice(0, depth), IGNORE_FILE].join('/'))
    if (text !== undefined) rules = parseIgnoreFile(text, depth, rules)
  }
  return rules
}

/** With those of the folder itself. */
export function rulesOf(
  folder: HeldFolder,
  entries: readonly Dirent[],
  depth: number,
  around: IgnoreRules | undefined,
): IgnoreRules | undefined {
  const hasFile = entries.some(entry => entry.name === IGNORE_FILE)
  const text = hasFile ? readIgnoreFile(folder.at(IGNORE_FILE)) : undefined
  return text === undefined ? around : parseIgnoreFile(text, depth, around)
}

export function namesOf(workspace: Workspace, folder: HeldFolder): string[] {
  return namesBelow(workspace.root, folder.path)
}

const IGNORE_FILE = '.gitignore'

function readIgnoreFile(path: string): string | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      if (!fstatSync(descriptor).isFile()) return undefined
      const buffer = Buffer.allocUnsafe(MAX_IGNORE_BYTES)
      return buffer.toString('utf8', 0, readSync(descriptor, buffer))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

/** A folder that cannot be read has no files for us. */
function listQuietly(folder: HeldFolder): Dirent[] {
  try {
    return listFolder(folder)
  } catch {
    return []
  }
}

function holdQuietly(folder: HeldFolder, name: string): HeldFolder | undefined {
  try {
    return holdChild(folder, name)
  } catch {
    return undefined
  }
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}
