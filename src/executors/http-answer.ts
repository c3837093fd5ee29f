// An answer → data: JSON as it is, text as text, anything else as a file. Long text is cut, and kept whole in a file.
import { createWriteStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import type { TextDecoder } from 'node:util'
import type { HttpAnswer } from '../network/http-client.ts'
import { readBody } from '../network/read-body.ts'
import { type Captured, captureOutput } from '../process/capture-output.ts'
import type { Mask } from '../text/mask-values.ts'
import type { CallUpdate, Json, Outcome } from '../types.ts'
import { type ContentType, readContentType } from './content-type.ts'

export type ReadOptions = {
  readonly mask: Mask
  /** More decoded bytes than this are an error. */
  readonly limit: number
  /** Path for a file with this ending. */
  readonly outputFile: (ending: string) => string
  readonly onUpdate?: (update: CallUpdate) => void
}

export type ReadAnswer = { readonly data: Json } & Pick<Outcome, 'outputFile'>

const KEEP_BYTES = 100 * 1024

/** What a good answer holds, masked. Throws `NetworkError`, and what `fs` throws when a file cannot be written. */
export async function readAnswer(answer: HttpAnswer, method: string, options: ReadOptions): Promise<ReadAnswer> {
  const type = readContentType(answer.headers['content-type'])
  if (method === 'HEAD') return { data: options.mask.data(await headOf(answer, options.limit)) }
  if (type.kind === 'binary') return { data: await saveBody(answer, type, options) }

  const body = await readText(answer, type, options)
  if (body.cut) return { data: body.cut.text, ...(body.cut.file !== undefined && { outputFile: body.cut.file }) }
  return { data: type.kind === 'json' ? readJson(body.text, options.mask) : options.mask.text(body.text) }
}

/** The beginning of an answer's text, masked; empty when it is no text. */
export async function readBeginning(answer: HttpAnswer, mask: Mask, bytes: number): Promise<string> {
  const type = readContentType(answer.headers['content-type'])
  const masked = mask.stream()
  const parts: Buffer[] = []
  let size = 0
  // Without an end: what may be the beginning of a secret stays out.
  for await (const chunk of toUtf8(readBody(answer, Number.POSITIVE_INFINITY), type)) {
    parts.push(masked.push(chunk))
    size += chunk.length
    if (size >= bytes || type.kind === 'binary') break
  }
  if (size < bytes) parts.push(masked.end())
  return type.kind === 'binary' ? '' : Buffer.concat(parts).toString('utf8').trim()
}

async function headOf(answer: HttpAnswer, limit: number): Promise<Json> {
  for await (const _ of readBody({ headers: {}, body: answer.body }, limit));
  return { status: answer.status, headers: answer.headers as { readonly [name: string]: Json } }
}

type ReadText = { readonly text: string; readonly cut?: undefined } | { readonly cut: Captured }

async function readText(answer: HttpAnswer, type: ContentType, options: ReadOptions): Promise<ReadText> {
  const { mask, limit, onUpdate } = options
  const updates = onUpdate && isStreamed(answer, type) ? createUpdates(mask, onUpdate) : undefined
  const start: Buffer[] = []
  let size = 0
  let long: ReturnType<typeof captureMasked> | undefined
  try {
    for await (const chunk of toUtf8(readBody(answer, limit), type)) {
      updates?.push(chunk)
      size += chunk.length
      if (long) long.push(chunk)
      else start.push(chunk)
      if (size <= KEEP_BYTES || long) continue
      long = captureMasked(options)
      for (const part of start.splice(0)) long.push(part)
    }
  } catch (error) {
    const file = long?.finish().file
    if (file !== undefined) rmSync(file, { force: true })
    throw error
  }
  updates?.end()
  return long ? { cut: long.finish() } : { text: Buffer.concat(start).toString('utf8') }
}

/** Masked before it is cut, so that no cut leaves half of a secret. */
function captureMasked({ mask, limit, outputFile }: ReadOptions) {
  const masked = mask.stream()
  const capture = captureOutput({ keep: KEEP_BYTES, spill: limit, spillFile: () => outputFile('txt') })
  return {
    push: (chunk: Buffer) => capture.push(masked.push(chunk)),
    finish() {
      capture.push(masked.end())
      return capture.finish()
    },
  }
}

/** Whether its pieces mean something on their own. */
function isStreamed({ headers }: HttpAnswer, { kind, isEventual }: ContentType): boolean {
  return isEventual || (kind === 'text' && headers['content-length'] === undefined)
}

function createUpdates(mask: Mask, onUpdate: (update: CallUpdate) => void) {
  const masked = mask.stream()
  const decoder = new StringDecoder('utf8')
  const tell = (text: string) => text && onUpdate({ type: 'output', stream: 'stdout', text })
  return {
    push: (chunk: Buffer) => tell(decoder.write(masked.push(chunk))),
    end: () => tell(decoder.end(masked.end())),
  }
}

function toUtf8(chunks: AsyncIterable<Buffer>, { decoder }: ContentType): AsyncIterable<Buffer> {
  return decoder ? recode(chunks, decoder) : chunks
}

async function* recode(chunks: AsyncIterable<Buffer>, decoder: TextDecoder): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}

async function saveBody(answer: HttpAnswer, { name, ending }: ContentType, options: ReadOptions): Promise<Json> {
  const file = options.outputFile(ending)
  let bytes = 0
  try {
    await pipeline(maskedBytes(), createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  }
  return { file, contentType: options.mask.text(name), bytes }

  async function* maskedBytes(): AsyncGenerator<Buffer> {
    const masked = options.mask.stream()
    for await (const chunk of readBody(answer, options.limit)) {
      const part = masked.push(chunk)
      bytes += part.length
      yield part
    }
    const rest = masked.end()
    bytes += rest.length
    yield rest
  }
}

/** What calls itself JSON and is not may still tell a model something. */
function readJson(text: string, mask: Mask): Json {
  if (text.trim() === '') return null
  try {
    const data = JSON.parse(text) as Json
    // Without escapes, what is not in the text is not in the data either.
    return text.includes('\\') || mask.text(text) !== text ? mask.data(data) : data
  } catch {
    return mask.text(text)
  }
}
