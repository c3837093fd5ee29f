// Code without its comments, in languages that we have no grammar for. Lines stay where they are.

import type { InspectionNote } from './inspection.ts'

export type CommentRules = {
  /** Lines that begin and end a block of documentation, both included. */
  readonly block?: { readonly begins: RegExp; readonly ends: RegExp }
  /** A line after which nothing is code. */
  readonly end?: RegExp
}

/** Takes out `#` comments, blocks of documentation and the bodies of here-documents. */
export function codeOf(text: string, rules: CommentRules): string {
  let inBlock = false
  let ended = false
  let document: string | undefined
  return text
    .split('\n')
    .map(line => {
      if (document !== undefined) {
        if (line.trim() === document) document = undefined
        return ''
      }
      if (!inBlock && rules.end?.test(line)) ended = true
      if (!inBlock && rules.block?.begins.test(line)) inBlock = true
      if (ended || inBlock) {
        if (rules.block?.ends.test(line)) inBlock = false
        return ''
      }
      const code = withoutComment(line)
      document = /<<[~-]?(["']?)([A-Z][A-Z_]*)\1/.exec(code)?.[2]
      return code
    })
    .join('\n')
}

/** Blanks what stands between two marks, `<#` and `#>`; offsets stay. */
export function withoutMarked(text: string, open: string, close: string): string {
  let result = ''
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    const end = start < 0 ? -1 : text.indexOf(close, start)
    if (end < 0) return result + text.slice(at)
    result += text.slice(at, start) + blank(text.slice(start, end + close.length))
    at = end + close.length
  }
}

/** The first matches of a global pattern; beyond a hundred, which nobody writes by hand, it is said that there are more. */
export function someMatches(code: string, pattern: RegExp, gaps: InspectionNote[]): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  for (const match of code.matchAll(pattern)) {
    if (found.length === MOST_MATCHES) {
      gaps.push({ message: 'Declares more than can be read', line: 1 })
      break
    }
    found.push(match)
  }
  return found
}

export const MOST_MATCHES = 100

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** `#` begins a comment after a blank, outside of quotes. */
function withoutComment(line: string): string {
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!
    if (char === '\\') at++
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '#' && /^\s?$/.test(line[at - 1] ?? '')) return line.slice(0, at)
  }
  return line
}
