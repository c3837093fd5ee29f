import type { Clock } from './clock.ts'

/** Tools whose endpoint is dead answer at once instead of keeping every caller waiting. */
export type Breakers = {
  /** Milliseconds until the tool may be tried again; 0 when it may be tried now. */
  restOf(toolId: string): number
  /** True when this failure put the tool to rest. */
  failed(toolId: string): boolean
  succeeded(toolId: string): void
}

const FAILURES_TO_OPEN = 3
const REST_MS = 30_000

export function createBreakers(clock: Clock): Breakers {
  const states = new Map<string, { failures: number; restUntil: number }>()
  return {
    restOf(toolId) {
      const state = states.get(toolId)
      if (!state || state.failures < FAILURES_TO_OPEN) return 0
      const rest = Math.max(0, state.restUntil - clock.now())
      // The one call that is let through now decides; the others go on waiting.
      if (rest === 0) state.restUntil = clock.now() + REST_MS
      return rest
    },
    failed(toolId) {
      const failures = (states.get(toolId)?.failures ?? 0) + 1
      states.set(toolId, { failures, restUntil: clock.now() + REST_MS })
      return failures >= FAILURES_TO_OPEN
    },
    succeeded(toolId) {
      states.delete(toolId)
    },
  }
}
