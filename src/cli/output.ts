// How commands speak: results on stdout, everything else on stderr.
import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'

/** Rows as aligned columns; the last column is cut to the terminal. */
export function table(rows: readonly (readonly string[])[], width = terminalWidth()): string {
  const columns = Math.max(0, ...rows.map(row => row.length))
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map(row => visible(row[i] ?? ''))))
  return rows
    .map(row => {
      const head = row.slice(0, -1).map((cell, i) => cell + ' '.repeat(widths[i]! - visible(cell)))
      const used = head.reduce((sum, cell) => sum + visible(cell) + 2, 0)
      const last = row.at(-1) ?? ''
      const room = Math.max(20, width - used)
      return [...head, last.length > room ? `${last.slice(0, room - 1)}…` : last].join('  ').trimEnd()
    })
    .join('\n')
}

/** Length on the screen, colours aside. */
const visible = (text: string): number => stripVTControlCharacters(text).length

/** A pipe gets whole lines. */
function terminalWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
}

// A reader such as `head` may leave before all is said.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  process.exit(0)
})

export function print(text: string): void {
  process.stdout.write(`${forTerminal(text)}\n`)
}

/** What a tool said, as it is; but a terminal would obey what a pipe only carries. */
export function printData(text: string): void {
  process.stdout.write(`${process.stdout.isTTY ? forTerminal(text) : text}\n`)
}

export function printJson(value: unknown): void {
  printData(JSON.stringify(value, null, 2))
}

export function complain(text: string): void {
  process.stderr.write(`${forTerminal(text)}\n`)
}

/** Without control characters and changes of direction, with which strangers' names could hide what is said; our colours stay. */
export function forTerminal(text: string): string {
  return text.replace(CONTROL, found => {
    const isColour = hasColours && found.length > 1 && found.startsWith('\u001b')
    return isColour || found.startsWith('\n') || found.startsWith('\t') ? found : found.slice(1)
  })
}

const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069](?:\[(?:1|2|22|31|32|33|39)m)?/gu

// On a terminal only: a pipe gets plain text also where CI is set, which the library takes for a terminal.
const { FORCE_COLOR, NO_COLOR } = process.env
const hasColours = !NO_COLOR && (Boolean(FORCE_COLOR) || (process.stdout.isTTY && process.stderr.isTTY))
export const { bold, dim, red, yellow, green } = pc.createColors(hasColours)
