import { createMask, type Mask } from './mask-values.ts'

/** The secrets that a runtime has come to know, so that none of them shows where nobody expects it. */
export type KnownSecrets = {
  /** Remembers values. The oldest give way to new ones. */
  add(values: Iterable<string>): void
  /** Masks all that is known, and besides a call's own values. */
  mask(own?: Iterable<string>): Mask
}

/** In what other tools say a shorter value is an ordinary word in all likelihood: `true`, `info`, `8080`. */
const MIN_LENGTH = 8
const MAX_VALUES = 500
/** Calls of the same tools have the same values. */
const MAX_MASKS = 32

export function createKnownSecrets(): KnownSecrets {
  const values = new Set<string>()
  const masks = new Map<string, Mask>()

  return {
    add(more) {
      for (const value of more) {
        if (value.trim().length < MIN_LENGTH || values.has(value)) continue
        values.add(value)
        if (values.size > MAX_VALUES) values.delete(values.keys().next().value!)
        masks.clear()
      }
    },
    mask(own = []) {
      const more = [...new Set(own)].filter(value => !values.has(value))
      const key = JSON.stringify(more)
      const mask = masks.get(key) ?? createMask([...values, ...more])
      if (masks.size >= MAX_MASKS) masks.clear()
      masks.set(key, mask)
      return mask
    },
  }
}
