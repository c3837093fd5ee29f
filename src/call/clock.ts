import { setTimeout as sleep } from 'node:timers/promises'

/** Time and chance, so that waiting can be tested to the millisecond. */
export type Clock = {
  /** Milliseconds; only differences count. */
  readonly now: () => number
  /** From 0 up to 1. */
  readonly random: () => number
  /** Ends early, without complaint, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
}
