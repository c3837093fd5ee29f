import type { Dirent } from 'node:fs'
import { lstatSync } from 'node:fs'
import type { HeldFolder } from '../files/held-folder.ts'
import { isIgnored } from '../files/ignore-rules.ts'
import { escapeUnseen } from '../text/clean-text.ts'
import type { Builtin } from './builtin.ts'
import { namesOf, rulesAbove, rulesOf } from './walk-workspace.ts'
import { listFolder, withFolder } from './workspace.ts'

const MOST = 1000

export const ls: Builtin = {
  name: 'ls',
  description:
    'List a folder of the workspace: folders first with a / at the end, then files with their size in bytes. Hidden ones are shown.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'folder, relative to the workspace; default the workspace' },
      ignore: { type: 'boolean', description: 'leave out what .gitignore does; default false' },
    },
    additionalProperties: false,
  },
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  timeoutMs: 30_000,
  run: ({ path = '.', ignore = false }, { workspace }) =>
    withFolder(workspace, String(path), async folder => {
      const all = listFolder(folder)
      const above = namesOf(workspace, folder)
      const rules = ignore ? rulesOf(folder, all, above.length, rulesAbove(workspace, folder)) : undefined
      const entries = all
        .filter(entry => !ignore || !isIgnored(rules, [...above, entry.name], entry.isDirectory()))
        .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1))
      if (entries.length === 0) return '(empty)'
      const lines = entries.slice(0, MOST).map(entry => describe(entry, folder))
      return [
        ...lines,
        ...(entries.length > MOST ? [`(${entries.length - MOST} more; use glob with a pattern)`] : []),
      ].join('\n')
    }),
}

function describe(entry: Dirent, folder: HeldFolder): string {
  const name = escapeUnseen(entry.name)
  if (entry.isDirectory()) return `${name}/`
  if (entry.isSymbolicLink()) return `${name}  (link)`
  if (!entry.isFile()) return `${name}  (not a regular file)`
  return `${name}  ${lstatSync(folder.at(entry.name), { throwIfNoEntry: false })?.size ?? 0}`
}
