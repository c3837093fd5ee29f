import { type Builtin, BuiltinError } from './builtin.ts'
import { isBinary } from './file-text.ts'
import { likelyLines } from './likely-lines.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { openFile, type Place, withPlace, withTarget } from './workspace.ts'
import { writeFile } from './write-file.ts'

const MAX_BYTES = 16 * 1024 * 1024
const MAX_SHOWN = 10

export const edit: Builtin = {
  name: 'edit',
  description:
    'Replace text in a file of the workspace. old_string must stand there exactly as given, blanks and line ends included, and only once unless replace_all is true. Give lines around it to make it unique; leave out the line numbers that read shows.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'file, relative to the workspace' },
      old_string: { type: 'string', minLength: 1, description: 'the text to replace' },
      new_string: { type: 'string', description: 'what is to stand there instead' },
      replace_all: { type: 'boolean', description: 'replace it wherever it stands; default false' },
    },
    required: ['path', 'old_string', 'new_string'],
    additionalProperties: false,
  },
  annotations: { readOnly: false, idempotent: false, openWorld: false },
  timeoutMs: 30_000,
  run: ({ path, old_string, new_string, replace_all = false }, { workspace }) =>
    // Whether it exists is asked first: editing makes neither files nor folders.
    withPlace(workspace, String(path), () =>
      withTarget(workspace, String(path), place =>
        oneAtATime(place.path, async () => {
          if (old_string === new_string)
            throw new BuiltinError('INVALID_ARGS', 'old_string and new_string are the same, so there is nothing to do.')
          const { text, stat } = await readWhole(place)
          const ends = text.includes('\r\n') ? '\r\n' : '\n'
          const before = withEnds(String(old_string), ends)
          const places = occurrences(text, before)
          if (places.length === 0) throw notFound(place.shown, text, before)
          if (places.length > 1 && !replace_all) throw ambiguous(place.shown, text, places)
          await writeFile(place, text.split(before).join(withEnds(String(new_string), ends)), stat)
          const lines = places.slice(0, MAX_SHOWN).map(at => lineOf(text, at))
          return `Replaced ${count(places.length, 'place')} in ${place.shown} (line ${listed(lines, places.length)}).`
        }),
      ),
    ),
}

async function readWhole(place: Place) {
  const handle = await openFile(place)
  try {
    const stat = await handle.stat()
    if (stat.size > MAX_BYTES)
      throw new BuiltinError('FILE_FAILED', `${place.shown} has ${stat.size} bytes; edit takes ${MAX_BYTES} at most.`)
    const bytes = await handle.readFile()
    const text = bytes.toString('utf8')
    // What is no UTF-8 would be changed where nobody asked for it.
    if (isBinary(bytes) || !Buffer.from(text).equals(bytes))
      throw new BuiltinError('NOT_A_FILE', `${place.shown} is not UTF-8 text.`)
    return { text, stat }
  } finally {
    await handle.close()
  }
}

/** Models write `\n`; a file with Windows line ends keeps them. */
function withEnds(text: string, ends: '\n' | '\r\n'): string {
  return ends === '\n' ? text : text.replace(/\r?\n/g, ends)
}

function occurrences(text: string, wanted: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

function notFound(shown: string, text: string, wanted: string): BuiltinError {
  const near = likelyLines(text, wanted).map(({ number, line }) => `Line ${number} is like it: ${line}`)
  return new BuiltinError('EDIT_FAILED', `old_string is not in ${shown}.`, near)
}

function ambiguous(shown: string, text: string, places: readonly number[]): BuiltinError {
  const lines = places.slice(0, MAX_SHOWN).map(at => lineOf(text, at))
  return new BuiltinError('EDIT_FAILED', `old_string stands in ${shown} ${places.length} times.`, [
    `It begins in lines ${listed(lines, places.length)}.`,
    'Give more of the text around the one you mean, or set replace_all.',
  ])
}

function lineOf(text: string, at: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++
  return line
}

function listed(lines: readonly number[], total: number): string {
  return lines.join(', ') + (total > lines.length ? ' …' : '')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
