import { cutLine } from './file-text.ts'

export type LikelyLine = { readonly number: number; readonly line: string }

const MOST = 3
const MAX_LOOKED_AT = 20_000

/** The lines of a text that the author of a failed edit may have meant: those that share most words with its first telling line. */
export function likelyLines(text: string, wanted: string): LikelyLine[] {
  const words = wordsOf(wanted.split('\n').find(line => wordsOf(line).size > 0) ?? '')
  if (words.size === 0) return []
  return text
    .split('\n', MAX_LOOKED_AT)
    .map((line, index) => ({
      number: index + 1,
      line: cutLine(line).slice(0, 200),
      score: likeness(words, wordsOf(line)),
    }))
    .filter(({ score }) => score >= 0.5)
    .toSorted((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, MOST)
    .map(({ number, line }) => ({ number, line }))
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.slice(0, 500).match(/[\p{L}\p{N}]+/gu) ?? [])
}

/** From 0 to 1: how many of the words of both are shared. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared / (a.size + b.size - shared || 1)
}
