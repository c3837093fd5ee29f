// What `.gitignore` files leave out, with the meaning that git gives them.
import { type PathPattern, parseName, parsePath } from '../text/glob-pattern.ts'

/** The rules of one folder's file, on top of those of the folders around it. */
export type IgnoreRules = {
  readonly around: IgnoreRules | undefined
  /** How many names lead to the folder. */
  readonly depth: number
  /** The last one that fits counts. */
  readonly rules: readonly Rule[]
}

type Rule = {
  readonly isKept: boolean
  readonly foldersOnly: boolean
  readonly fits: PathPattern
}

const MAX_RULES = 5000

export function parseIgnoreFile(text: string, depth: number, around: IgnoreRules | undefined): IgnoreRules {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/, MAX_RULES)
  return { around, depth, rules: lines.flatMap(line => parseRule(line) ?? []).reverse() }
}

/** Whether a path, given by its names from the root on, is left out. Folders above it are not asked about. */
export function isIgnored(rules: IgnoreRules | undefined, names: readonly string[], isFolder: boolean): boolean {
  if (names.at(-1) === '.git') return true
  for (let file = rules; file; file = file.around) {
    const below = names.slice(file.depth)
    const rule = file.rules.find(one => (isFolder || !one.foldersOnly) && one.fits(below))
    if (rule) return !rule.isKept
  }
  return false
}

function parseRule(line: string): Rule | undefined {
  const text = withoutTrailingBlanks(line)
  if (text === '' || text.startsWith('#')) return undefined
  const isKept = text.startsWith('!')
  const pattern = isKept ? text.slice(1) : text
  const foldersOnly = pattern.endsWith('/')
  const bare = foldersOnly ? pattern.slice(0, -1) : pattern
  if (bare === '') return undefined
  // A slash within the pattern ties it to the folder of the file; without one it is about names anywhere below.
  if (bare.includes('/')) return { isKept, foldersOnly, fits: parsePath(bare) }
  const fitsName = parseName(bare)
  return { isKept, foldersOnly, fits: names => fitsName(names.at(-1) ?? '') }
}

/** A blank that is escaped stays. Counted by hand: a file of nothing but blanks must not take long. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  let escapes = 0
  while (line[end - escapes - 1] === '\\') escapes++
  return line.slice(0, escapes % 2 === 1 && end < line.length ? end + 1 : end)
}
