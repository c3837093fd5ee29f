// The usage text of a script: in its docstring, or in what it prints.
import { parseUsage, type UsageReading } from '../usage.ts'
import { docstring } from './description.ts'
import { dotted } from './does-run.ts'
import type { Module } from './parse-module.ts'
import type { Expression } from './syntax.ts'
import { visitStatements } from './visit-syntax.ts'

/** What is longer is not read to its end. */
const LONGEST = 20_000

/** The most telling usage text of the script. */
export function readUsage(module: Module): UsageReading | undefined {
  if (!/usage/i.test(module.text)) return undefined
  const texts: { readonly text: string; readonly line: number }[] = []
  const doc = docstring(module.statements)
  if (doc && /usage/i.test(doc)) texts.push({ text: doc, line: 1 })
  // Lines that are printed one after the other are one text.
  let run: { text: string; line: number; last: number } | undefined
  visitStatements(module.statements, {
    statement: statement => {
      if (statement.kind === 'function') return /usage/i.test(statement.text())
      if (statement.kind !== 'expression') return undefined
      const call = statement.value
      const isPrint = call.kind === 'call' && /(^|\.)(print|exit|write|echo)$/.test(dotted(call.callee))
      const first = isPrint && call.kind === 'call' ? call.args[0] : undefined
      const said = first && !first.name ? textOf(first.value) : undefined
      if (said === undefined) return undefined
      const line = module.lineAt(statement.at)
      if (run && line - run.last <= 2) {
        run.text += `\n${said}`
        run.last = line
      } else if (/usage/i.test(said)) {
        run = { text: said, line, last: line }
        texts.push(run)
      } else run = undefined
      return undefined
    },
  })
  const readings = texts.flatMap(({ text, line }) => parseUsage(text.slice(0, LONGEST), line) ?? [])
  return readings.toSorted((a, b) => weight(b) - weight(a))[0]
}

function weight({ parameters, synopses }: UsageReading): number {
  return parameters.length + synopses.length
}

/** The text of a literal; what is filled in stands for the program's name. */
function textOf(expression: Expression): string | undefined {
  if (expression.kind === 'string') return expression.value
  if (expression.kind !== 'format') return undefined
  return expression.parts.map(part => (typeof part === 'string' ? part : '%s')).join('')
}
