import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { RuntimeEvent } from '../types.ts'
import type { EventSink } from './subscribers.ts'

/**
 * Appends every event as one line of JSON. The file is opened at the first event. An audit that cannot be written is
 * warned about once; it never fails a call.
 */
export function createJsonlSink(file: string, prepare: () => void): EventSink {
  let descriptor: number | undefined
  let broken = false

  return {
    write(event) {
      if (broken) return
      try {
        descriptor ??= open()
        // Handing a line to the system takes a microsecond, a stream thirty; and it is there if the process is killed.
        writeFileSync(descriptor, `${JSON.stringify(toAuditRecord(event))}\n`)
      } catch (error) {
        process.emitWarning(`The audit cannot be written: ${String(error)}`, 'SkillwrightWarning')
        broken = true
      }
    },
    async close() {
      if (descriptor !== undefined) closeSync(descriptor)
      descriptor = undefined
    },
  }

  function open(): number {
    prepare()
    mkdirSync(dirname(file), { recursive: true })
    return openSync(file, 'a', 0o600)
  }
}

/** The event as it stands in the file: snake_case, `event` and `time` first. */
export function toAuditRecord(event: RuntimeEvent): Record<string, unknown> {
  const record = toSnakeCase(event, { event: event.type, time: event.time })
  if ('counts' in event) record['counts'] = toSnakeCase(event.counts)
  return record
}

function toSnakeCase(fields: object, record: Record<string, unknown> = {}): Record<string, unknown> {
  for (const [key, value] of Object.entries(fields)) if (key !== 'type') record[snakeCase(key)] = value
  return record
}

/** Events have few keys, and each is asked for with every event. */
const known = new Map<string, string>()

function snakeCase(key: string): string {
  const name = known.get(key) ?? key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  known.set(key, name)
  return name
}
