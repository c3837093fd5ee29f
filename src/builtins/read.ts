import { lstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { type Builtin, BuiltinError } from './builtin.ts'
import { cutLine, encodingOf } from './file-text.ts'
import { openFile, withPlace } from './workspace.ts'

const MAX_LINES = 2000
const MAX_BYTES = 100 * 1024
const CHUNK = 64 * 1024

export const read: Builtin = {
  name: 'read',
  description:
    'Read a text file of the workspace. Gives lines with their numbers, at most 2,000 lines or 100 KB at once; go on with offset. Lines over 2,000 characters are cut.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'file, relative to the workspace' },
      offset: { type: 'integer', minimum: 1, description: 'number of the first line; default 1' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_LINES, description: 'at most so many lines' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  timeoutMs: 30_000,
  run: ({ path, offset = 1, limit = MAX_LINES }, { workspace, signal }) =>
    withPlace(workspace, String(path), async place => {
      if (lstatSync(place.folder.at(place.name)).isDirectory())
        throw new BuiltinError('NOT_A_FILE', `${place.shown} is a folder.`, ['Use ls to see what is in it.'])
      const handle = await openFile(place)
      try {
        return await readLines(handle, { first: Number(offset), most: Number(limit), shown: place.shown, signal })
      } finally {
        await handle.close()
      }
    }),
}

type Range = { readonly first: number; readonly most: number; readonly shown: string; readonly signal: AbortSignal }

/** Reads only as far as it must: a file may be larger than memory. */
async function readLines(handle: FileHandle, { first, most, shown, signal }: Range): Promise<string> {
  const lines: string[] = []
  let number = 0
  let bytes = 0
  for await (const line of linesOf(handle, shown, signal)) {
    number++
    if (number < first) continue
    if (lines.length === most || bytes > MAX_BYTES)
      return `${lines.join('\n')}\n(the file goes on; read it with offset ${number})`
    const text = `${String(number).padStart(6)}\t${line}`
    bytes += Buffer.byteLength(text) + 1
    lines.push(text)
  }
  if (number === 0) return `(${shown} is empty)`
  if (lines.length === 0)
    throw new BuiltinError('INVALID_ARGS', `${shown} has ${number} lines, so that there is no line ${first}.`)
  return lines.join('\n')
}

/** The lines of a file, cut where they are too long, without their ends. */
async function* linesOf(handle: FileHandle, shown: string, signal: AbortSignal): AsyncGenerator<string> {
  let decoder: ReturnType<typeof decoderFor> | undefined
  const chunk = Buffer.allocUnsafe(CHUNK)
  let rest = ''
  for (let position = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, position)
    const bytes = chunk.subarray(0, bytesRead)
    decoder ??= decoderFor(bytes, shown)
    position += bytesRead
    const pieces = (rest + decoder.decode(bytes, { stream: bytesRead > 0 })).split('\n')
    rest = pieces.pop()!
    for (const piece of pieces) yield cutLine(piece)
    if (bytesRead === 0) break
    // What of a line is not shown need not be kept.
    if (rest.length > CHUNK) rest = rest.slice(0, CHUNK)
  }
  if (rest !== '') yield cutLine(rest)
}

function decoderFor(bytes: Buffer, shown: string) {
  const encoding = encodingOf(bytes)
  if (encoding === undefined) throw binary(shown, bytes)
  return new TextDecoder(encoding)
}

function binary(shown: string, bytes: Buffer): BuiltinError {
  const kind = SIGNATURES.find(([signature]) => bytes.subarray(0, 16).toString('latin1').includes(signature))?.[1]
  return new BuiltinError('NOT_A_FILE', `${shown} is ${kind ?? 'a binary file'}, not text.`, [
    'A tool that knows the format can read it.',
  ])
}

const SIGNATURES = [
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['WEBP', 'a WebP image'],
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive or an office document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['SQLite', 'an SQLite database'],
  ['\x7fELF', 'a program'],
] as const
