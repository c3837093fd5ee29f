// A level with too many children is grouped by what they are about. It depends on the children alone, and a few that come or go
// move few others.
import type { ContentWord } from './content-words.ts'

export type Groupable = {
  readonly name: string
  /** Words of the name, which say most, then those of the description; each stem once. */
  readonly words: readonly ContentWord[]
  /** How many of the words are from the name. */
  readonly named: number
}

export type Group<Child> = { readonly label: string; readonly children: readonly Child[] }

const MOST_GROUPS = 24
const NAME_WEIGHT = 3
/** A word that more of the children share than this tells them not apart. */
const MAX_SHARE = 0.4
const OTHER = 'other'

/**
 * At most 30 groups of at least two children each, labelled with a word that their members use; what shares no word with
 * others is grouped by the beginning of its name.
 */
export function groupChildren<Child extends Groupable>(children: readonly Child[]): readonly Group<Child>[] {
  const sorted = children.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const stems = chooseStems(sorted)
  const members = new Map<string, Child[]>()
  for (const child of sorted) {
    const stem = bestStem(child, stems) ?? OTHER
    const list = members.get(stem)
    if (list) list.push(child)
    else members.set(stem, [child])
  }
  const lost = [...members].filter(([stem, list]) => stem === OTHER || list.length < 2)
  for (const [stem] of lost) members.delete(stem)
  if (members.size === 0) return groupByName(sorted)

  const labels = labelsOf(sorted, members.keys())
  const groups = [...members].map(([stem, list]) => ({ label: labels.get(stem)!, children: list }))
  groups.sort((a, b) => (a.label < b.label ? -1 : 1))
  const rest = lost.flatMap(([, list]) => list)
  return rest.length > 0 ? [...groups, { label: freeLabel(groups), children: rest }] : groups
}

/** Greedily those words that say something about most of the children that no chosen word speaks of yet. */
function chooseStems(children: readonly Groupable[]): ReadonlySet<string> {
  const holders = new Map<string, number[]>()
  const gain = new Map<string, number>()
  for (const [index, { words, named }] of children.entries())
    for (const [place, { stem }] of words.entries()) {
      const list = holders.get(stem)
      if (list) list.push(index)
      else holders.set(stem, [index])
      gain.set(stem, (gain.get(stem) ?? 0) + (place < named ? NAME_WEIGHT : 1))
    }
  const fewest = Math.max(2, Math.floor(children.length / 150))
  const most = Math.max(fewest, children.length * MAX_SHARE)
  for (const [stem, list] of holders) if (list.length < fewest || list.length > most) gain.delete(stem)

  const chosen = new Set<string>()
  const covered = new Uint8Array(children.length)
  while (chosen.size < MOST_GROUPS) {
    const best = bestGain(gain)
    if (!best || best.gain < fewest) break
    chosen.add(best.stem)
    gain.delete(best.stem)
    for (const index of holders.get(best.stem)!) {
      if (covered[index]) continue
      covered[index] = 1
      const { words, named } = children[index]!
      for (const [place, { stem }] of words.entries()) {
        const before = gain.get(stem)
        if (before !== undefined) gain.set(stem, before - (place < named ? NAME_WEIGHT : 1))
      }
    }
  }
  return chosen
}

/**
 * The word with the largest gain. Gains that are about equal count as equal, and the alphabet decides: else one tool more or
 * less would shuffle the groups.
 */
function bestGain(gains: ReadonlyMap<string, number>): { stem: string; gain: number } | undefined {
  let best: { stem: string; gain: number; rank: number } | undefined
  for (const [stem, gain] of gains) {
    if (gain < 1) continue
    const rank = Math.floor(Math.log(gain) / ABOUT_EQUAL)
    if (!best || rank > best.rank || (rank === best.rank && stem < best.stem)) best = { stem, gain, rank }
  }
  return best
}

const ABOUT_EQUAL = Math.log(1.2)

/** The first chosen word that the child says: it depends on the child and the set of words, not on other children. */
function bestStem({ words }: Groupable, stems: ReadonlySet<string>): string | undefined {
  return words.find(word => stems.has(word.stem))?.stem
}

/** Each stem in the form that is written most often. */
function labelsOf(children: readonly Groupable[], stems: Iterable<string>): ReadonlyMap<string, string> {
  const forms = new Map([...stems].map(stem => [stem, new Map<string, number>()]))
  for (const { words } of children)
    for (const { stem, word } of words) {
      const counts = forms.get(stem)
      if (counts) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  return new Map(
    [...forms].map(([stem, counts]) => [
      stem,
      [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))[0]![0],
    ]),
  )
}

function freeLabel(groups: readonly { readonly label: string }[]): string {
  return groups.some(group => group.label === OTHER) ? 'more' : OTHER
}

const MOST_BEGINNINGS = 30

/** By the first character in which the names differ: `tool-1…`, `tool-2…`. Names that come or go move no others. */
function groupByName<Child extends Groupable>(sorted: readonly Child[]): readonly Group<Child>[] {
  const common = commonLength(sorted[0]!.name, sorted.at(-1)!.name)
  const groups = new Map<string, Child[]>()
  for (const child of sorted) {
    const beginning = [...child.name.slice(common)][0] ?? ''
    const label = `${shorten(child.name.slice(0, common))}${beginning}…`
    const list = groups.get(label)
    if (list) list.push(child)
    else groups.set(label, [child])
  }
  if (groups.size > 1 && groups.size <= MOST_BEGINNINGS)
    return [...groups].map(([label, children]) => ({ label, children }))
  return inRanges(sorted)
}

/** The last resort: equal parts in order of name. */
function inRanges<Child extends Groupable>(sorted: readonly Child[]): readonly Group<Child>[] {
  const size = Math.ceil(sorted.length / Math.min(MOST_GROUPS, Math.ceil(sorted.length / 20)))
  const parts = Array.from({ length: Math.ceil(sorted.length / size) }, (_, i) =>
    sorted.slice(i * size, (i + 1) * size),
  )
  return parts.map((children, i) => ({ label: `part ${i + 1} (from ${children[0]!.name})`, children }))
}

/** The end of a long beginning tells the groups apart. */
function shorten(text: string): string {
  return text.length > 30 ? `…${text.slice(-29)}` : text
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}
