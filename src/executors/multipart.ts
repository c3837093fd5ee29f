// A form with files, as a stream whose length is known beforehand.
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { OpenedFile } from '../files/open-inside.ts'
import type { StreamedBody } from '../network/http-client.ts'

export type FormPart = { readonly name: string; readonly value: string | OpenedFile }

export type MultipartForm = { readonly contentType: string; readonly body: StreamedBody }

export function buildMultipart(parts: readonly FormPart[]): MultipartForm {
  const boundary = `skillwright-${randomUUID()}`
  const heads = parts.map(part => Buffer.from(headOf(part, boundary)))
  const end = Buffer.from(`--${boundary}--\r\n`)
  const sizes = parts.map(({ value }) => (typeof value === 'string' ? Buffer.byteLength(value) : value.size))
  const length = parts.reduce((sum, _, i) => sum + heads[i]!.length + sizes[i]! + LINE_END.length, end.length)

  return { contentType: `multipart/form-data; boundary=${boundary}`, body: { length, open } }

  async function* open(): AsyncGenerator<Buffer> {
    for (const [i, { value }] of parts.entries()) {
      yield heads[i]!
      if (typeof value === 'string') yield Buffer.from(value)
      else yield* bytesOf(value)
      yield LINE_END
    }
    yield end
  }
}

const LINE_END = Buffer.from('\r\n')

function headOf({ name, value }: FormPart, boundary: string): string {
  const file = typeof value === 'string' ? '' : `; filename="${quoted(basename(value.path))}"`
  const type = file && '\r\nContent-Type: application/octet-stream'
  return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}${type}\r\n\r\n`
}

/** As browsers do, so that a name can end neither its quotes nor its line. */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, char => encodeURIComponent(char))
}

/** As many bytes as were announced: a file that grows meanwhile is not sent any further. */
async function* bytesOf({ handle, size }: OpenedFile): AsyncGenerator<Buffer> {
  if (size > 0) yield* handle.createReadStream({ start: 0, end: size - 1, autoClose: false })
}
