import { closeSync, openSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

export type CaptureLimits = {
  /** Bytes kept in memory and returned. */
  readonly keep: number
  /** Bytes kept in the file that holds the whole output; 0 for no file. */
  readonly spill: number
  /** Gives the path of that file; asked only when the output is too long. */
  readonly spillFile: () => string
  /** Takes secrets out of all that comes. */
  readonly mask?: { push(bytes: Buffer): Buffer; end(): Buffer }
  /** Hears every piece as it comes. */
  readonly onText?: (text: string) => void
}

export type Captured = { readonly text: string; readonly file?: string }

/**
 * Collects what a process writes without ever holding more than the limit: head and tail stay in memory, the whole goes
 * to a file up to a larger limit. Bytes are decoded once, at the end.
 */
export function captureOutput(limits: CaptureLimits): { push(chunk: Buffer): void; finish(): Captured } {
  const half = Math.floor(limits.keep / 2)
  const head: Buffer[] = []
  const tail: Buffer[] = []
  let headSize = 0
  let tailSize = 0
  let total = 0
  let file: { readonly path: string; readonly fd: number; size: number } | undefined

  const decoder = limits.onText && new StringDecoder('utf8')

  return { push: chunk => keep(limits.mask ? limits.mask.push(chunk) : chunk), finish }

  function keep(chunk: Buffer): void {
    if (chunk.length === 0) return
    if (decoder) tell(decoder.write(chunk))
    if (total <= limits.keep && total + chunk.length > limits.keep) openSpill()
    spill(chunk)
    total += chunk.length
    const forHead = Math.min(half - headSize, chunk.length)
    if (forHead > 0) {
      head.push(chunk.subarray(0, forHead))
      headSize += forHead
    }
    if (forHead >= chunk.length) return
    // Copied, since a part of a chunk would keep the whole of it in memory.
    tail.push(forHead > 0 ? Buffer.from(chunk.subarray(forHead)) : chunk)
    tailSize += chunk.length - forHead
    while (tailSize - tail[0]!.length >= half) tailSize -= tail.shift()!.length
  }

  function tell(text: string): void {
    if (text) limits.onText?.(text)
  }

  function openSpill(): void {
    if (limits.spill === 0) return
    try {
      const path = limits.spillFile()
      file = { path, fd: openSync(path, 'w', 0o600), size: 0 }
      for (const part of [...head, ...tail]) spill(part)
    } catch {
      // A full or read-only disk must not fail the call: the note then names no file.
    }
  }

  function spill(chunk: Buffer): void {
    if (!file || file.size >= limits.spill) return
    try {
      file.size += writeSync(file.fd, chunk.subarray(0, limits.spill - file.size))
    } catch {
      file.size = limits.spill
    }
  }

  function finish(): Captured {
    if (limits.mask) keep(limits.mask.end())
    if (decoder) tell(decoder.end())
    if (file) closeSync(file.fd)
    if (total <= limits.keep) return { text: Buffer.concat([...head, ...tail]).toString('utf8') }
    const first = withoutPartialEnd(Buffer.concat(head))
    const last = withoutPartialStart(lastBytes(Buffer.concat(tail), half))
    const cut = total - first.length - last.length
    const where = file
      ? `; ${total > file.size ? `the first ${file.size} bytes are` : 'the whole is'} in ${file.path}`
      : ''
    const note = `\n[… ${cut} of ${total} bytes left out here${where} …]\n`
    return { text: first.toString('utf8') + note + last.toString('utf8'), ...(file && { file: file.path }) }
  }
}

const lastBytes = (bytes: Buffer, count: number): Buffer => bytes.subarray(Math.max(0, bytes.length - count))

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Drops the rest of a character whose beginning was cut off. */
function withoutPartialStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return bytes.subarray(start)
}

/** Drops the beginning of a character whose end was cut off. */
function withoutPartialEnd(bytes: Buffer): Buffer {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && isContinuation(bytes[start])) start--
  const lead = bytes[start] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes
}
