import type { RuntimeEvent } from '../types.ts'

type EventOf<Type extends RuntimeEvent['type']> = Extract<RuntimeEvent, { type: Type }>

/** What receives every event. */
export type EventSink = { write(event: RuntimeEvent): void; close(): Promise<void> }

export type Subscribers = {
  /** Calls `listener` for each event of a type, or of all with `*`. Returns how to stop. */
  on<Type extends RuntimeEvent['type']>(type: Type, listener: (event: EventOf<Type>) => void): () => void
  on(type: '*', listener: (event: RuntimeEvent) => void): () => void
  emit(event: RuntimeEvent): void
}

/** Hands events to listeners. A listener that throws is warned about; it never disturbs a call. */
export function createSubscribers(warn: (text: string) => void): Subscribers {
  const listeners = new Set<{ type: string; listener: (event: never) => void }>()
  return {
    on(type: string, listener: (event: never) => void) {
      const entry = { type, listener }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    emit(event) {
      for (const { type, listener } of listeners) {
        if (type !== '*' && type !== event.type) continue
        try {
          listener(event as never)
        } catch (error) {
          warn(`A listener for ${event.type} failed: ${String(error)}`)
        }
      }
    },
  }
}
