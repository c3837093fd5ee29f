import { lstatSync } from 'node:fs'
import { escapeUnseen } from '../text/clean-text.ts'
import { type PathPattern, parseGlob } from '../text/glob-pattern.ts'
import { type Builtin, BuiltinError } from './builtin.ts'
import { namesOf, type WalkEnd, walkFiles } from './walk-workspace.ts'
import { withFolder } from './workspace.ts'

const MOST = 200

export const glob: Builtin = {
  name: 'glob',
  description:
    'Find files of the workspace by their path, such as src/**/*.{ts,tsx} or **/test_*.py. Gives paths, newest first. What .gitignore leaves out is not searched.',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: { type: 'string', minLength: 1, description: '* and ? within a name, ** for any folders, {a,b}, [a-z]' },
      path: { type: 'string', description: 'the folder to search, relative to the workspace; default all of it' },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  timeoutMs: 30_000,
  run: ({ pattern, path = '.' }, call) => {
    const [start, within] = fromRoot(String(pattern), call.workspace.root) ?? [String(path), String(pattern)]
    const fits = readPattern(within)
    return withFolder(call.workspace, start, async folder => {
      const above = namesOf(call.workspace, folder)
      const found: { readonly path: string; readonly time: number }[] = []
      const end = await walkFiles(folder, call, ({ folder: inner, name, names }) => {
        if (!fits(names)) return true
        const time = lstatSync(inner.at(name), { throwIfNoEntry: false })?.mtimeMs ?? 0
        found.push({ path: escapeUnseen([...above, ...names].join('/')), time })
        return true
      })
      found.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1))
      const shown = found.slice(0, MOST).map(one => one.path)
      const notes = [
        ...(found.length > MOST ? [`(${found.length - MOST} more; use a narrower pattern)`] : []),
        ...noteOn(end),
      ]
      return found.length === 0 ? [`No file fits ${pattern}.`, ...notes].join('\n') : [...shown, ...notes].join('\n')
    })
  },
}

/** Where an absolute pattern begins, and the rest of it. Throws `BuiltinError` on one that leads out. */
function fromRoot(pattern: string, root: string): [start: string, rest: string] | undefined {
  if (pattern.startsWith(`${root}/`)) return ['.', pattern.slice(root.length + 1)]
  if (pattern.startsWith('/') || pattern.split('/').includes('..'))
    throw new BuiltinError('PATH_OUTSIDE_WORKSPACE', `${pattern} leads out of the folder that is searched.`, [
      'Give the folder as path, and a pattern for what is below it.',
    ])
  return undefined
}

/** Throws `BuiltinError` on a pattern that cannot be read. */
export function readPattern(pattern: string): PathPattern {
  try {
    return parseGlob(pattern)
  } catch (error) {
    throw new BuiltinError('INVALID_ARGS', `The pattern cannot be read: ${(error as Error).message}.`)
  }
}

/** What to say about a search that did not see everything. */
export function noteOn(end: WalkEnd): string[] {
  if (end === 'too-many') return ['(there are too many files to look at all; give a path)']
  return end === 'out-of-time' ? ['(the time was over before all files were looked at; give a path)'] : []
}
