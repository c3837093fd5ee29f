// What the author wrote about the script, in one line.
import { firstParagraph } from '../paragraph.ts'
import type { Module } from './parse-module.ts'
import type { Statement } from './syntax.ts'

/** From the module's docstring, else that of `main`, else the comments at the top. */
export function describe(module: Module): string | undefined {
  return (
    paragraphOf(docstring(module.statements)) ??
    paragraphOf(mainDocstring(module.statements)) ??
    paragraphOf(leadingComments(module.text))
  )
}

/** Text of the string that a module, class or function begins with. */
export function docstring(statements: readonly Statement[]): string | undefined {
  const first = statements[0]
  return first?.kind === 'expression' && first.value.kind === 'string' ? first.value.value : undefined
}

function mainDocstring(statements: readonly Statement[]): string | undefined {
  const main = statements.find(statement => statement.kind === 'function' && statement.name === 'main')
  return main?.kind === 'function' ? docstring(main.body()) : undefined
}

/** Comments before any code, without the shebang, the encoding, script metadata and licence lines. */
function leadingComments(text: string): string | undefined {
  const lines: string[] = []
  let metadata = false
  for (const line of text.split('\n')) {
    const content = line.trim()
    if (content !== '' && !content.startsWith('#')) break
    if (content.startsWith('#!') || /^#.*coding[:=]/.test(content)) continue
    if (content === '# ///') metadata = false
    else if (/^# \/\/\/ \w+/.test(content)) metadata = true
    else if (!metadata) lines.push(content.replace(/^#+ ?/, ''))
  }
  const paragraphs = lines.join('\n').split(/\n\s*\n/)
  return paragraphs.find(paragraph => /\p{L}/u.test(paragraph) && !LEGAL.test(paragraph))
}

const LEGAL = /copyright|licen[cs]e|spdx-|all rights reserved|^(pylint|flake8|type|ruff|mypy|noqa)\b/i

function paragraphOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : firstParagraph(text)
}
