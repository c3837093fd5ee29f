// Searches the text of files with an engine that takes time in proportion to the text, whatever the pattern.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import type { RE2JS } from 're2js'
import { createTimeSlice } from '../files/time-slice.ts'
import { re2Library } from '../libraries.ts'
import { escapeUnseen } from '../text/clean-text.ts'
import type { PathPattern } from '../text/glob-pattern.ts'
import { type Builtin, type BuiltinCall, BuiltinError } from './builtin.ts'
import { encodingOf } from './file-text.ts'
import { noteOn, readPattern } from './glob.ts'
import { type FoundFile, namesOf, type WalkEnd, walkFiles } from './walk-workspace.ts'
import { withFolder, withPlace } from './workspace.ts'

const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_BYTES = 100 * 1024
const MAX_LINE = 500
/** Characters of one line times size of the pattern: some patterns cost that much, about a second, and nothing can stop them within a line. */
const MAX_STEPS = 4_000_000
const DEFAULT_LIMIT = 200

export const grep: Builtin = {
  name: 'grep',
  description:
    'Search the text of files in the workspace with a regular expression (RE2 syntax, line by line). What .gitignore leaves out and binary files are not searched.',
  inputSchema: {
    type: 'object',
    properties: {
      pattern: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        description: 'regular expression, without / around it',
      },
      path: {
        type: 'string',
        description: 'the file or folder to search, relative to the workspace; default all of it',
      },
      glob: {
        type: 'string',
        description: 'only files like this, such as *.ts or src/**/*.py; with ! in front all others',
      },
      case_insensitive: { type: 'boolean', description: 'default false' },
      context: {
        type: 'integer',
        minimum: 0,
        maximum: 20,
        description: 'lines to show around each match; only for content',
      },
      output_mode: {
        enum: ['files', 'content', 'count'],
        description: 'paths of files that match (default), matching lines with their numbers, or how many per file',
      },
      head_limit: {
        type: 'integer',
        minimum: 1,
        maximum: 2000,
        description: 'at most so many files or matching lines; default 200',
      },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  timeoutMs: 60_000,
  async run(args, call) {
    const search = createSearch(args, call)
    const path = String(args['path'] ?? '.')
    const isFolder = await withPlace(call.workspace, path, async ({ folder, name }) =>
      lstatSync(folder.at(name)).isDirectory(),
    )
    const end = isFolder ? await inFolder(path, search, call) : await inFile(path, search, call)
    return search.lines(end).join('\n')
  },
}

type Args = Parameters<Builtin['run']>[0]
type Search = ReturnType<typeof createSearch>

function inFolder(path: string, search: Search, call: BuiltinCall): Promise<WalkEnd> {
  return withFolder(call.workspace, path, folder => {
    const before = namesOf(call.workspace, folder)
    return walkFiles(folder, call, file => search.look(file, [...before, ...file.names].join('/')))
  })
}

function inFile(path: string, search: Search, { workspace }: BuiltinCall): Promise<WalkEnd> {
  return withPlace(workspace, path, async ({ folder, name, shown }) => {
    if (!lstatSync(folder.at(name)).isFile()) throw new BuiltinError('NOT_A_FILE', `${shown} is not a regular file.`)
    const file = { folder, name, names: [name] }
    const text = readText(file)
    if (text === 'binary') throw new BuiltinError('NOT_A_FILE', `${shown} is a binary file, not text.`)
    if (text === 'unreadable') throw new BuiltinError('FILE_FAILED', `${shown} cannot be read.`)
    return (await search.look(file, shown)) ? 'complete' : 'stopped'
  })
}

function createSearch(args: Args, { signal, deadline }: BuiltinCall) {
  const pattern = String(args['pattern'])
  const regex = compile(pattern, args['case_insensitive'] === true)
  const longest = Math.floor(MAX_STEPS / regex.programSize())
  const fits = args['glob'] === undefined ? undefined : readGlob(String(args['glob']))
  const mode = (args['output_mode'] ?? 'files') as 'files' | 'content' | 'count'
  const limit = Number(args['head_limit'] ?? DEFAULT_LIMIT)
  const context = Number(args['context'] ?? 0)
  const slice = createTimeSlice()
  const found: string[] = []
  let [matches, bytes, tooLarge, tooLong, isLate] = [0, 0, 0, 0, false]
  return { look, lines }

  /** Searches one file; false when there is enough. */
  async function look(file: FoundFile, path: string): Promise<boolean> {
    if (fits && !fits(file.names)) return true
    const text = readText(file)
    if (text === 'too-large') tooLarge++
    if (typeof text === 'string') return true
    const lines = text.text.split('\n')
    const hits = await hitsIn(lines)
    if (hits.length === 0) return true
    const shown = escapeUnseen(path)
    if (mode === 'files') return tell(shown, 1)
    if (mode === 'count') return tell(`${shown}:${hits.length}`, 1)
    return tellHits(shown, lines, hits)
  }

  async function hitsIn(lines: readonly string[]): Promise<number[]> {
    const hits: number[] = []
    for (const [index, line] of lines.entries()) {
      if (slice.spent()) {
        await slice.rest()
        signal.throwIfAborted()
        if (performance.now() > deadline) {
          isLate = true
          break
        }
      }
      if (line.length > longest) tooLong++
      if (regex.test(withoutReturn(line).slice(0, longest))) hits.push(index)
    }
    return hits
  }

  function tellHits(shown: string, lines: readonly string[], hits: readonly number[]): boolean {
    const isHit = new Set(hits)
    let last = -1
    for (const hit of hits) {
      const from = Math.max(hit - context, last + 1)
      if (context > 0 && found.length > 0 && from > last + 1) found.push('--')
      const to = Math.min(hit + context, lines.length - 1)
      for (let i = from; i <= to; i++) {
        // A later match shows its own lines, and counts.
        if (i > hit && isHit.has(i)) break
        const mark = i === hit ? ':' : '-'
        if (!tell(`${shown}${mark}${i + 1}${mark}${shorten(withoutReturn(lines[i]!))}`, i === hit ? 1 : 0)) return false
        last = i
      }
    }
    return true
  }

  function tell(line: string, matching: number): boolean {
    if (matches + matching > limit || bytes > MAX_BYTES) return false
    found.push(line)
    matches += matching
    bytes += Buffer.byteLength(line) + 1
    return true
  }

  function lines(end: WalkEnd): string[] {
    const never = hasLineEnd(pattern) ? ' (Lines are looked at one by one, so that \\n never matches.)' : ''
    return [
      ...(found.length === 0 ? [`Nothing matches.${never}`] : found),
      ...(tooLarge > 0 ? [`(${count(tooLarge, 'file')} over ${MAX_FILE_BYTES / 1024 / 1024} MB not searched)`] : []),
      ...(tooLong > 0
        ? [`(${count(tooLong, 'line')} too long for such a pattern: only the beginning was searched)`]
        : []),
      ...(end === 'stopped' ? ['(there is more; narrow it down)'] : noteOn(isLate ? 'out-of-time' : end)),
    ]
  }
}

/** Whether a pattern asks for the end of a line, not for a backslash and an n. */
function hasLineEnd(pattern: string): boolean {
  return /\n|(?<!\\)(?:\\\\)*\\n/.test(pattern)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function compile(pattern: string, caseInsensitive: boolean): RE2JS {
  const { RE2JS } = re2Library()
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern), caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    throw new BuiltinError('INVALID_ARGS', `The pattern cannot be read: ${(error as Error).message}.`, [
      'Look-around and back-references are not supported. Put \\ before characters that stand for themselves, such as ( { [ . * + ?',
    ])
  }
}

/** A pattern without a slash is about names, wherever they are; one that begins with `!` leaves out. */
function readGlob(given: string): PathPattern {
  if (given.startsWith('!')) {
    const fits = readGlob(given.slice(1))
    return names => !fits(names)
  }
  return readPattern(given.includes('/') ? given : `**/${given}`)
}

function readText({ folder, name }: FoundFile): { readonly text: string } | 'too-large' | 'binary' | 'unreadable' {
  try {
    const descriptor = openSync(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile()) return 'unreadable'
      if (stat.size > MAX_FILE_BYTES) return 'too-large'
      const bytes = readFileSync(descriptor)
      const encoding = encodingOf(bytes)
      return encoding === undefined ? 'binary' : { text: new TextDecoder(encoding).decode(bytes).replace(/\n$/, '') }
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return 'unreadable'
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function shorten(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line
}
