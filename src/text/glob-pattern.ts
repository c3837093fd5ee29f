// Patterns for paths: `*` and `?` within a name, `[a-z]`, `**` for any folders, `{a,b}`. Matching takes time in proportion to both lengths,
// whatever the pattern: those of ignore files come from strangers.

export type PathPattern = (names: readonly string[]) => boolean

type NamePattern = (name: string) => boolean
type Step = NamePattern | typeof ANY_FOLDERS

const ANY_FOLDERS = '**'
const MAX_ALTERNATIVES = 256

/** Reads a pattern of a user. Throws `Error` with a reason when it cannot be read. */
export function parseGlob(pattern: string): PathPattern {
  const alternatives = expandBraces(pattern).map(parsePath)
  return names => alternatives.some(one => one(names))
}

/** Reads a pattern without braces, as ignore files have them. */
export function parsePath(pattern: string): PathPattern {
  const written = pattern.split('/').filter(part => part !== '' && part !== '.')
  const steps: Step[] = written.map(part => (part === ANY_FOLDERS ? ANY_FOLDERS : parseName(part)))
  // What is below a folder is not the folder itself.
  if (steps.at(-1) === ANY_FOLDERS) steps.push(() => true)
  return names => matchSteps(steps, names)
}

/** Each `**` takes as little as it can, and only the last one is ever asked to take more: that is enough. */
function matchSteps(steps: readonly Step[], names: readonly string[]): boolean {
  let [step, at, back, backAt] = [0, 0, -1, 0]
  while (at < names.length) {
    const wanted = steps[step]
    if (wanted === ANY_FOLDERS) {
      back = ++step
      backAt = at
    } else if (wanted?.(names[at]!)) {
      step++
      at++
    } else if (back >= 0) {
      step = back
      at = ++backAt
    } else return false
  }
  while (steps[step] === ANY_FOLDERS) step++
  return step === steps.length
}

type Token = { readonly many: true } | { readonly fits: (character: string) => boolean }

/** Reads the pattern of one name. An unclosed `[` stands for itself. */
export function parseName(pattern: string): NamePattern {
  const tokens = tokenize(pattern)
  if (tokens === undefined) {
    const text = pattern.replace(/\\(.)/gu, '$1')
    return name => name === text
  }
  if (/^\*[^*?[\]\\]*$/.test(pattern)) return name => name.endsWith(pattern.slice(1))
  return name => matchTokens(tokens, [...name])
}

function matchTokens(tokens: readonly Token[], text: readonly string[]): boolean {
  let [token, at, back, backAt] = [0, 0, -1, 0]
  while (at < text.length) {
    const wanted = tokens[token]
    if (wanted && 'many' in wanted) {
      back = ++token
      backAt = at
    } else if (wanted && 'fits' in wanted && wanted.fits(text[at]!)) {
      token++
      at++
    } else if (back >= 0) {
      token = back
      at = ++backAt
    } else return false
  }
  for (let rest = tokens[token]; rest && 'many' in rest; rest = tokens[token]) token++
  return token === tokens.length
}

/** Undefined when every character stands for itself. */
function tokenize(pattern: string): Token[] | undefined {
  const characters = [...pattern]
  const tokens: Token[] = []
  let isPlain = true
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!
    const set = character === '[' ? readSet(characters, i) : undefined
    if (character === '*') tokens.push({ many: true })
    else if (character === '?') tokens.push({ fits: () => true })
    else if (set) tokens.push({ fits: set.fits })
    else if (character === '\\' && i + 1 < characters.length) tokens.push(same(characters[++i]!))
    else tokens.push(same(character))
    isPlain &&= character !== '*' && character !== '?' && !set
    if (set) i = set.end
  }
  return isPlain ? undefined : tokens
}

const same = (wanted: string): Token => ({ fits: character => character === wanted })

/** `[a-z]`, `[!a]`, `[]a]`; undefined when it is not closed. */
function readSet(characters: readonly string[], start: number) {
  let i = start + 1
  const isNegated = characters[i] === '!' || characters[i] === '^'
  if (isNegated) i++
  const ranges: (readonly [from: string, to: string])[] = []
  for (let isFirst = true; ; isFirst = false) {
    if (i >= characters.length) return undefined
    if (characters[i] === ']' && !isFirst) break
    const from = take()
    const isRange = characters[i] === '-' && i + 1 < characters.length && characters[i + 1] !== ']'
    if (isRange) i++
    ranges.push([from, isRange ? take() : from])
  }
  const fits = (one: string) => ranges.some(([from, to]) => codeOf(from) <= codeOf(one) && codeOf(one) <= codeOf(to))
  return { end: i, fits: (character: string) => fits(character) !== isNegated }

  function take(): string {
    if (characters[i] === '\\' && i + 1 < characters.length) i++
    return characters[i++]!
  }
}

const codeOf = (character: string): number => character.codePointAt(0)!

/** `a{b,c{d,e}}` → `ab`, `acd`, `ace`. Braces without a comma stand for themselves. Throws when there are too many. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = []
  const waiting = [pattern]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const group = findGroup(one)
    if (group) for (const choice of group.choices.toReversed()) waiting.push(group.before + choice + group.after)
    else done.push(one)
    if (done.length + waiting.length > MAX_ALTERNATIVES)
      throw new Error(`the braces stand for more than ${MAX_ALTERNATIVES} patterns`)
  }
  return done
}

/** The first group that is closed and has a choice. */
function findGroup(pattern: string) {
  for (let start = pattern.indexOf('{'); start >= 0; start = pattern.indexOf('{', start + 1)) {
    if (pattern[start - 1] === '\\') continue
    const commas: number[] = []
    let depth = 0
    for (let i = start; i < pattern.length; i++) {
      if (pattern[i] === '\\') i++
      else if (pattern[i] === '{') depth++
      else if (pattern[i] === ',' && depth === 1) commas.push(i)
      else if (pattern[i] === '}' && --depth === 0) {
        if (commas.length === 0) break
        const edges = [start, ...commas, i]
        const choices = edges.slice(1).map((end, index) => pattern.slice(edges[index]! + 1, end))
        return { before: pattern.slice(0, start), choices, after: pattern.slice(i + 1) }
      }
    }
  }
  return undefined
}
