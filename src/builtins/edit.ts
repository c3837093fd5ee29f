import { type Builtin, BuiltinError } from './builtin.ts'
import { encodingOf } from './file-text.ts'
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
          const { text, stat } = await readWhole(place)
          const places = occurrences(text, String(old_string))
          if (places.length === 0) throw notFound(place.shown, text, String(old_string))
          if (places.length > 1 && !replace_all) throw ambiguous(place.shown, text, places)
          const changed = replaced(text, places, String(new_string))
          if (changed === text) throw new BuiltinError('INVALID_ARGS', 'The edit changes nothing.')
          await writeFile(place, changed, stat)
          const lines = places.slice(0, MAX_SHOWN).map(({ from }) => lineOf(text, from))
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
    if (encodingOf(bytes) !== 'utf-8' || !Buffer.from(text).equals(bytes))
      throw new BuiltinError('NOT_A_FILE', `${place.shown} is not UTF-8 text.`)
    return { text, stat }
  } finally {
    await handle.close()
  }
}

type Range = { readonly from: number; readonly to: number }

/** Where a text stands in another. Models write `\n`, whatever the ends of lines are, and a file may have both kinds. */
function occurrences(text: string, wanted: string): Range[] {
  const plain = text.replaceAll('\r\n', '\n')
  const sought = wanted.replaceAll('\r\n', '\n')
  const places: Range[] = []
  const inText = positionsIn(text)
  for (let at = plain.indexOf(sought); at >= 0; at = plain.indexOf(sought, at + sought.length))
    places.push({ from: inText(at), to: inText(at + sought.length) })
  return places
}

/** From positions without the `\r` of line ends to those with them. To be asked in ascending order. */
function positionsIn(text: string): (position: number) => number {
  let returns = 0
  let next = text.indexOf('\r\n')
  return position => {
    for (; next >= 0 && next - returns < position; next = text.indexOf('\r\n', next + 2)) returns++
    return position + returns
  }
}

/** With the new text in all places, its lines ended as those around it. */
function replaced(text: string, places: readonly Range[], wanted: string): string {
  const pieces = places.map(({ from }, index) => {
    const end = text.indexOf('\n', from)
    const hasReturn = end < 0 ? text.includes('\r\n') : text[end - 1] === '\r'
    return text.slice(places[index - 1]?.to ?? 0, from) + (hasReturn ? wanted.replace(/\r?\n/g, '\r\n') : wanted)
  })
  return pieces.join('') + text.slice(places.at(-1)!.to)
}

function notFound(shown: string, text: string, wanted: string): BuiltinError {
  const near = likelyLines(text, wanted).map(({ number, line }) => `Line ${number} is like it: ${line}`)
  const isThere = text.normalize().replaceAll('\r\n', '\n').includes(wanted.normalize().replaceAll('\r\n', '\n'))
  const form =
    'It stands there in another Unicode form (accents as characters of their own, or not): copy it from there.'
  return new BuiltinError('EDIT_FAILED', `old_string is not in ${shown}.`, isThere ? [form, ...near] : near)
}

function ambiguous(shown: string, text: string, places: readonly Range[]): BuiltinError {
  const lines = places.slice(0, MAX_SHOWN).map(({ from }) => lineOf(text, from))
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
