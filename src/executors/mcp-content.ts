// What an MCP tool answered → an outcome. Pictures and other bytes are kept as files, never dropped silently.
import { writeFileSync } from 'node:fs'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import { fail } from '../errors.ts'
import { captureOutput } from '../process/capture-output.ts'
import type { Json, Outcome } from '../types.ts'
import { readStdout } from './read-stdout.ts'

export type ContentOptions = {
  readonly server: string
  readonly tool: string
  /** Path of a file of this call, by the end of its name. */
  readonly file: (name: string) => string
}

const KEEP_BYTES = 100 * 1024
const SPILL_BYTES = 64 * 1024 * 1024
const TEXT_IN_MESSAGE = 2000

/** Reads a result: structured content, else its text, else a list that describes each part. */
export function readContent(result: CallToolResult, options: ContentOptions): Outcome {
  const text = result.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
  if (result.isError) return failed(text, options)
  if (result.structuredContent !== undefined) return cutJson(result.structuredContent as Json, options)
  if (result.content.every(block => block.type === 'text')) return readText(text, options)
  return cutJson(
    result.content.map((block, index) => describe(block, index, options)),
    options,
  )
}

function failed(text: string, { server, tool }: ContentOptions): Outcome {
  const said = text.length > TEXT_IN_MESSAGE ? `${text.slice(0, TEXT_IN_MESSAGE)}…` : text
  return fail('MCP_FAILED', `${tool} of the MCP server ${server} failed: ${said || 'it gave no reason'}`, {
    nextAction: 'Read what it says, mend the arguments, then call again.',
  })
}

function readText(text: string, options: ContentOptions): Outcome {
  const { text: kept, file } = cut(text, options)
  if (file !== undefined) return { ok: true, data: kept, outputFile: file }
  const read = readStdout(kept)
  return read.ok ? read : failed(read.message, options)
}

/** Data too long for a model becomes its JSON text, cut like any output; the whole is in the file. */
function cutJson(data: Json, options: ContentOptions): Outcome {
  const { text, file } = cut(JSON.stringify(data), options)
  return file === undefined ? { ok: true, data } : { ok: true, data: text, outputFile: file }
}

function cut(text: string, { file }: ContentOptions) {
  const capture = captureOutput({ keep: KEEP_BYTES, spill: SPILL_BYTES, spillFile: () => file('.result') })
  capture.push(Buffer.from(text))
  return capture.finish()
}

function describe(block: ContentBlock, index: number, options: ContentOptions): Json {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio':
      return { type: block.type, ...keepBytes(block.data, block.mimeType, index, options) }
    case 'resource_link': {
      const { type, uri, name, mimeType, description } = block
      return { type, uri, name, ...(mimeType && { mimeType }), ...(description && { description }) }
    }
    case 'resource': {
      const { uri, mimeType } = block.resource
      const head = { type: 'resource', uri, ...(mimeType && { mimeType }) }
      return 'text' in block.resource
        ? { ...head, text: block.resource.text }
        : { ...head, ...keepBytes(block.resource.blob, mimeType, index, options) }
    }
  }
}

function keepBytes(base64: string, mimeType: string | undefined, index: number, options: ContentOptions) {
  const bytes = Buffer.from(base64, 'base64')
  const extension = /\/(?:x-)?([a-z0-9]{1,8})/.exec(mimeType ?? '')?.[1] ?? 'bin'
  const described = { ...(mimeType !== undefined && { mimeType }), bytes: bytes.length }
  try {
    const file = options.file(`-${index + 1}.${extension}`)
    writeFileSync(file, bytes, { mode: 0o600 })
    return { ...described, file }
  } catch {
    // A full or read-only disk must not fail the call; without `file` it is plain that the bytes are gone.
    return described
  }
}
