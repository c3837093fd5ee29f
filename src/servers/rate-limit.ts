export type RateLimitOptions = {
  /** Requests a second that a caller may make in the long run. Default: 100. */
  readonly perSecond?: number
  /** Requests that may come at once. Default: 500. */
  readonly burst?: number
}

/** A bucket of tokens for each key: `take` gives the seconds to wait, 0 when the request may go on. */
export type RateLimit = { take(key: string): number }

/** Addresses are cheap to invent: the bucket that was used least recently gives way. */
const MAX_BUCKETS = 10_000

export function createRateLimit(
  options: RateLimitOptions = {},
  now: () => number = () => performance.now(),
): RateLimit {
  const { perSecond = 100, burst = 500 } = options
  if (!(perSecond > 0 && burst >= 1)) throw new TypeError('rateLimit: perSecond and burst must be positive')
  const buckets = new Map<string, { tokens: number; at: number }>()

  return {
    take(key) {
      const time = now()
      const bucket = buckets.get(key) ?? { tokens: burst, at: time }
      const tokens = Math.min(burst, bucket.tokens + ((time - bucket.at) / 1000) * perSecond)
      const isEnough = tokens >= 1
      buckets.delete(key)
      buckets.set(key, { tokens: isEnough ? tokens - 1 : tokens, at: time })
      if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value!)
      return isEnough ? 0 : (1 - tokens) / perSecond
    },
  }
}
