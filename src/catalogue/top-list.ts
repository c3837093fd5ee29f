/** Keeps the best of many; equal scores go by name, so the order of the offers does not matter. */
export type TopList = {
  offer(item: number, score: number): void
  /** Best first. */
  sorted(): number[]
}

export function createTopList(most: number, nameOf: (item: number) => string): TopList {
  // A heap with the worst at the top.
  const items: number[] = []
  const scores: number[] = []

  return {
    offer(item, score) {
      if (items.length < most) {
        items.push(item)
        scores.push(score)
        rise(items.length - 1)
      } else if (score > scores[0]! || (score === scores[0] && nameOf(item) < nameOf(items[0]!))) {
        items[0] = item
        scores[0] = score
        sink(0)
      }
    },
    sorted: () =>
      items
        .map((item, i) => ({ item, score: scores[i]! }))
        .sort((a, b) => b.score - a.score || (nameOf(a.item) < nameOf(b.item) ? -1 : 1))
        .map(({ item }) => item),
  }

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isWorse(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }

  function sink(from: number): void {
    for (let at = from; ; ) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < items.length && isWorse(child, worst)) worst = child
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }

  function isWorse(a: number, b: number): boolean {
    return scores[a]! < scores[b]! || (scores[a] === scores[b] && nameOf(items[a]!) > nameOf(items[b]!))
  }

  function swap(a: number, b: number): void {
    ;[items[a], items[b]] = [items[b]!, items[a]!]
    ;[scores[a], scores[b]] = [scores[b]!, scores[a]!]
  }
}
