// Whether a script talks: asks on a terminal, or reads its input from a pipe.
import type { InspectionNote } from '../inspection.ts'
import { dotted } from './does-run.ts'
import type { Module } from './parse-module.ts'
import type { Expression } from './syntax.ts'
import { visitStatements } from './visit-syntax.ts'

export type Conversation = {
  /** Where it asks a question. */
  readonly asks?: InspectionNote
  /** Where it reads standard input. */
  readonly reads?: InspectionNote
}

/** Finds the first question and the first reading of standard input. */
export function readConversation(module: Module): Conversation {
  if (!TALK.test(module.text)) return {}
  let asked: { readonly how: string; readonly at: number } | undefined
  let read: number | undefined
  // Parts are visited after the whole: `sys.stdin` after `sys.stdin.isatty`.
  const settled = new Set<Expression>()
  visitStatements(module.statements, {
    statement: statement => (statement.kind === 'function' ? TALK.test(statement.text()) : undefined),
    expression: expression => {
      if (expression.kind === 'attribute' && SETTINGS.test(expression.name)) settled.add(expression.object)
      if (isStdin(expression) && !settled.has(expression)) read ??= expression.at
      if (expression.kind !== 'call') return
      const name = dotted(expression.callee)
      if (QUESTIONS.test(name)) asked ??= { how: name, at: expression.at }
      if (name === 'fileinput.input') read ??= expression.at
    },
  })
  return {
    ...(asked
      ? {
          asks: {
            message: `Asks on the terminal with \`${asked.how}\`; there is none.`,
            line: module.lineAt(asked.at),
            about: 'terminal',
          },
        }
      : {}),
    ...(read === undefined
      ? {}
      : { reads: { message: 'Reads standard input: give it as `data`.', line: module.lineAt(read), about: 'stdin' } }),
  }
}

/** What is asked of the stream without reading it. */
const SETTINGS = /^(isatty|reconfigure|encoding|errors|fileno|close|closed|name|mode)$/

function isStdin(expression: Expression): boolean {
  return expression.kind === 'attribute' && expression.name === 'stdin' && dotted(expression.object) === 'sys'
}

const TALK = /\b(input|getpass|confirm|prompt|ask|pause|getchar)\s*\(|\bstdin\b|\bfileinput\b|\bquestionary\b/

const QUESTIONS =
  /^(input|getpass|getpass\.getpass|click\.(confirm|prompt|pause|getchar)|typer\.(confirm|prompt)|Prompt\.ask|Confirm\.ask|questionary\.\w+|inquirer\.prompt)$/
