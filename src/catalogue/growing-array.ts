/** An array of numbers that grows by half, so that a large one wastes little. */
export type GrowingArray = {
  readonly length: number
  /** The numbers themselves, with room behind `length`. Another object after a `push` or `set` beyond the end. */
  readonly values: Uint32Array
  push(value: number): void
}

export function createGrowingArray(): GrowingArray {
  let values = new Uint32Array(64)
  let length = 0
  return {
    get length() {
      return length
    },
    get values() {
      return values
    },
    push(value) {
      if (length === values.length) {
        const larger = new Uint32Array(Math.ceil(length * 1.5))
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
  }
}
