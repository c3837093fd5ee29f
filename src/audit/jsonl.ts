import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { dirname } from 'node:path'
import type { RuntimeEvent } from '../types.ts'
import type { EventSink } from './subscribers.ts'

/**
 * Appends every event as one line of JSON. The file is opened at the first event. An audit that cannot be written is
 * warned about once; it never fails a call.
 */
export function createJsonlSink(file: string, prepare: () => void): EventSink {
  let stream: WriteStream | undefined
  let broken = false

  return {
    write(event) {
      if (broken) return
      stream ??= open()
      stream?.write(`${JSON.stringify(toAuditRecord(event))}\n`)
    },
    close() {
      const open = stream
      stream = undefined
      if (!open || broken) return Promise.resolve()
      return new Promise(resolve => {
        open.once('close', resolve)
        open.end()
      })
    },
  }

  function open(): WriteStream | undefined {
    try {
      prepare()
      mkdirSync(dirname(file), { recursive: true })
      return createWriteStream(file, { flags: 'a', mode: 0o600 }).on('error', giveUp)
    } catch (error) {
      giveUp(error)
      return undefined
    }
  }

  function giveUp(error: unknown): void {
    if (!broken) process.emitWarning(`The audit cannot be written: ${String(error)}`, 'SkillwrightWarning')
    broken = true
  }
}

/** The event as it stands in the file: snake_case, `event` and `time` first. */
export function toAuditRecord({ type, time, ...rest }: RuntimeEvent): Record<string, unknown> {
  const entries = Object.entries(rest).map(([key, value]) => [key.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`), value])
  return { event: type, time, ...Object.fromEntries(entries) }
}
