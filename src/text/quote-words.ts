/** Words as one text that splits into the same words again. A single word stays as it is: it is a sentence, mostly. */
export function quoteWords(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : words.map(quote).join(' ')
}

function quote(word: string): string {
  return /^[^\s"'\\]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`
}
