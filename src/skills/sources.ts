import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Source } from '../types.ts'

type Places = { readonly workspace: string; readonly home?: string; readonly env?: NodeJS.ProcessEnv }

/** The default sources, lowest precedence first: imported skills, the project's, the user's. */
export function defaultSources({ workspace, home = homedir(), env = process.env }: Places): Source[] {
  return [
    { name: 'imported', path: importedFolder({ home, env }) },
    { name: 'project', path: join(workspace, 'skills') },
    { name: 'project:.claude', path: join(workspace, '.claude', 'skills') },
    { name: 'project:.agents', path: join(workspace, '.agents', 'skills') },
    { name: 'user:.claude', path: join(home, '.claude', 'skills') },
    { name: 'user:.agents', path: join(home, '.agents', 'skills') },
  ]
}

/** Of a folder that is named twice the later place counts. */
export function withoutRepeats(sources: readonly Source[]): Source[] {
  const places = sources.map(source => realPath(source.path))
  return sources.filter((_, index) => places.lastIndexOf(places[index]!) === index)
}

/** Itself when it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Where imported skills are kept unless somebody names another folder. */
export function importedFolder({ home = homedir(), env = process.env }: Omit<Places, 'workspace'> = {}): string {
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'skillwright', 'skills')
}

/** A source as a program writes it: a folder, or a folder with a name for reports. */
export function toSource(source: string | Source): Source {
  return typeof source === 'string'
    ? { name: source, path: resolve(source) }
    : { ...source, path: resolve(source.path) }
}
