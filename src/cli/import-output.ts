// What the commands around imports have in common: progress, counts, errors.
import type { ImportError, ImportErrorCode } from '../import/import-error.ts'
import type { ImportProgress } from '../import/scope.ts'
import { createRuntime } from '../runtime.ts'
import { complain, dim, forTerminal, green, print, red, yellow } from './output.ts'

/** One line on the terminal that is written over and over; nothing in a pipe. `clear` removes it. */
export function createProgressLine(quiet: boolean): { show(progress: ImportProgress): void; clear(): void } {
  const { stderr } = process
  let last = 0
  if (quiet || !stderr.isTTY) return { show: () => {}, clear: () => {} }
  return {
    show(progress) {
      if (Date.now() - last < REDRAW_MS) return
      last = Date.now()
      stderr.write(`\r\x1b[K${dim(forTerminal(describe(progress)).slice(0, (stderr.columns ?? 80) - 1))}`)
    },
    clear: () => void stderr.write('\r\x1b[K'),
  }
}

function describe({ phase, subject, entries, bytes, totalBytes }: ImportProgress): string {
  if (phase === 'waiting') return `waiting for another import (${subject})`
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
  if (phase === 'fetching') return `fetching ${bar(bytes, totalBytes)}${size}  ${subject}`
  if (phase === 'unpacking') return `unpacking ${entries} files, ${size}  ${subject}`
  return `installing ${subject}`
}

function bar(bytes: number, total: number | undefined): string {
  if (!total) return ''
  const done = Math.min(BAR_WIDTH, Math.round((bytes / total) * BAR_WIDTH))
  return `${'█'.repeat(done)}${'░'.repeat(BAR_WIDTH - done)} `
}

/** What the skills of a target compile to, in the words that an import answers with. */
export type CompileCounts = {
  readonly compiled_ok: number
  readonly invalid_tools: number
  readonly shadowed_tools: number
}

/** Compiles the target as a runtime would. */
export async function compileCounts(target: string): Promise<CompileCounts> {
  const runtime = await createRuntime({ sources: [target], defaultSources: false, audit: false })
  try {
    const { counts } = await runtime.report()
    return { compiled_ok: counts.ok, invalid_tools: counts.invalid, shadowed_tools: counts.shadowed }
  } finally {
    await runtime.close()
  }
}

export function printCounts(counts: CompileCounts): void {
  const text = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  print(text.join('  '))
  if (counts.invalid_tools > 0) complain(yellow('`skillwright doctor` with this folder says what is wrong.'))
}

export function printNotes(notes: readonly string[]): void {
  for (const note of notes.slice(0, MAX_NOTES)) complain(yellow(note))
  if (notes.length > MAX_NOTES) complain(yellow(`… and ${notes.length - MAX_NOTES} more; --json has them all.`))
}

/** Says why an import failed, and what to do; gives the exit code. */
export function explainImport(error: ImportError): number {
  complain(`${red(error.message)}\n${green('→')} ${error.hint}`)
  if (error.code === 'CANCELLED') return 130
  return WRONG_USAGE.has(error.code) ? 2 : 1
}

const WRONG_USAGE: ReadonlySet<ImportErrorCode> = new Set([
  'SOURCE_NOT_FOUND',
  'SOURCE_UNSUPPORTED',
  'CHOICE_NEEDED',
  'NAME_NOT_FOUND',
  'NOT_IMPORTED',
])
const REDRAW_MS = 100
const BAR_WIDTH = 20
const MAX_NOTES = 10
