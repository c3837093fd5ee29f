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

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

export function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}

export const bold = pc.bold
export const dim = pc.dim
export const red = pc.red
export const yellow = pc.yellow
export const green = pc.green
