import type { Readable } from 'node:stream'

const HEAD = 5

/** Frames of a letter, a length in four bytes, and a body. */
export function readFrames(stream: Readable, onFrame: (kind: string, body: Buffer) => void): void {
  let held: Buffer = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length >= HEAD) {
      const end = HEAD + held.readUInt32BE(1)
      if (held.length < end) return
      const frame = held
      held = held.subarray(end)
      onFrame(frame.toString('latin1', 0, 1), frame.subarray(HEAD, end))
    }
  })
}
