/** The stem of a lower-case English word by Porter's algorithm (1980). Other words come back as they are, or shortened harmlessly. */
export function porterStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  let stem = word.startsWith('y') ? `Y${word.slice(1)}` : word
  stem = plural(stem)
  stem = pastAndGerund(stem)
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  stem = replaceSuffix(stem, DOUBLE_SUFFIXES, 0)
  stem = replaceSuffix(stem, SHORT_SUFFIXES, 0)
  stem = dropSuffix(stem)
  return tidyEnd(stem).toLowerCase()
}

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function pastAndGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const stem = word.slice(0, word.length - suffix)
  if (suffix === 0 || !hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsInDoubleConsonant(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsInShortSyllable(stem) ? `${stem}e` : stem
}

function replaceSuffix(word: string, suffixes: readonly (readonly [string, string])[], least: number): string {
  for (const [suffix, replacement] of suffixes)
    if (word.endsWith(suffix)) {
      const stem = word.slice(0, -suffix.length)
      return measure(stem) > least ? stem + replacement : word
    }
  return word
}

function dropSuffix(word: string): string {
  const suffix = DROPPED_SUFFIXES.find(candidate => word.endsWith(candidate))
  if (!suffix) return word
  const stem = word.slice(0, -suffix.length)
  if (measure(stem) <= 1) return word
  return suffix === 'ion' && !/[st]$/.test(stem) ? word : stem
}

function tidyEnd(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const shorter = stem.slice(0, -1)
    const size = measure(shorter)
    if (size > 1 || (size === 1 && !endsInShortSyllable(shorter))) stem = shorter
  }
  return stem.endsWith('ll') && measure(stem) > 1 ? stem.slice(0, -1) : stem
}

/** How often a run of vowels is followed by a run of consonants. */
function measure(stem: string): number {
  let count = 0
  let afterVowel = false
  for (let i = 0; i < stem.length; i++) {
    const vowel = isVowel(stem, i)
    if (afterVowel && !vowel) count++
    afterVowel = vowel
  }
  return count
}

function hasVowel(stem: string): boolean {
  for (let i = 0; i < stem.length; i++) if (isVowel(stem, i)) return true
  return false
}

// A `Y` that begins a word is a consonant, hence the capital; a `y` after a consonant is a vowel.
function isVowel(word: string, at: number): boolean {
  const char = word[at]!
  if ('aeiou'.includes(char)) return true
  return char === 'y' && at > 0 && !isVowel(word, at - 1)
}

function endsInDoubleConsonant(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last)
}

function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1
  return (
    last > 1 &&
    !isVowel(word, last) &&
    isVowel(word, last - 1) &&
    !isVowel(word, last - 2) &&
    !'wxy'.includes(word[last]!)
  )
}

const DOUBLE_SUFFIXES = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
] as const

const SHORT_SUFFIXES = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
] as const

// Longer ones before the ones they end in.
const DROPPED_SUFFIXES = [
  ...['ement', 'ment', 'ent', 'ance', 'ence', 'able', 'ible', 'ant', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'],
  ...['ion', 'al', 'er', 'ic', 'ou'],
]
