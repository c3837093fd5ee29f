// One file of a skill → a script that can be a tool, or the reason why it is none.
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../files/inside.ts'
import { type Located, locateScript } from '../files/locate-script.ts'
import { inspectScript } from '../inspect/inspect-script.ts'
import type { Inspection } from '../inspect/inspection.ts'
import type { Language, LeftOutReason } from '../types.ts'
import { classifyName } from './classify-file.ts'
import { languageOfName, languageOfShebang, readShebang } from './language.ts'
import type { FoundFile } from './list-files.ts'

export type Candidate =
  | { readonly kind: 'script'; readonly script: Script }
  | { readonly kind: 'left-out'; readonly reason: LeftOutReason; readonly detail: string }
  | { readonly kind: 'refused'; readonly reason: LeftOutReason; readonly why: Extract<Located, { ok: false }> }

export type Script = {
  readonly file: string
  readonly language: Language
  readonly shebang?: readonly string[]
  readonly inspection: Inspection
}

/** Reads a file as far as needed to know what it is. Never throws. */
export function readCandidate(skillFolder: string, { file, kind }: FoundFile): Candidate {
  const byName = classifyName(file)
  if (byName) return { kind: 'left-out', ...byName }
  if (kind === 'too-deep') return { kind: 'left-out', reason: 'too-deep', detail: 'lies deeper than 5 levels' }

  const located = locateScript(skillFolder, file)
  if (!located.ok) return refuse(located, kind)

  const language = languageOfName(file)
  const hasExtension = /\.[^/]*$/.test(file)
  if (!language && hasExtension) return DATA_FILE
  const text = readText(located.path, language ? MAX_SOURCE_BYTES : HEAD_BYTES)
  const shebang = readShebang(text)
  if (!language && !shebang) return DATA_FILE

  const known = language ?? languageOfShebang(shebang!)
  const source = language ? text : readText(located.path, MAX_SOURCE_BYTES)
  const inspection = inspectScript({
    path: file,
    text: source,
    language: known,
    sibling: siblingOf(skillFolder, located.path),
  })
  if (!inspection.runs) return LIBRARY
  return { kind: 'script', script: { file, language: known, ...(shebang && { shebang }), inspection } }
}

// Inspectors say themselves what they do not read; this only bounds what a hostile folder can make us load.
const MAX_SOURCE_BYTES = 2 * 1024 * 1024
const HEAD_BYTES = 256

const DATA_FILE: Candidate = {
  kind: 'left-out',
  reason: 'data-file',
  detail: 'is no script: neither by its name nor by a `#!` line',
}
const LIBRARY: Candidate = {
  kind: 'left-out',
  reason: 'library-module',
  detail: 'only defines things: running it does nothing',
}

function refuse(why: Extract<Located, { ok: false }>, kind: FoundFile['kind']): Candidate {
  if (why.code === 'SCRIPT_MISSING')
    return kind === 'link'
      ? { kind: 'left-out', reason: 'link-broken', detail: why.message }
      : { kind: 'left-out', reason: 'data-file', detail: why.message }
  return { kind: 'refused', reason: why.code === 'SETUID_SCRIPT' ? 'setuid' : 'link-outside', why }
}

function siblingOf(skillFolder: string, script: string): (path: string) => string | undefined {
  return path => {
    const located = locateScript(skillFolder, join(dirname(script), path))
    return located.ok && isInside(skillFolder, located.path) ? readText(located.path, MAX_SOURCE_BYTES) : undefined
  }
}

function readText(path: string, most: number): string {
  try {
    return statSync(path).size <= most
      ? readFileSync(path, 'utf8')
      : readFileSync(path).subarray(0, most).toString('utf8')
  } catch {
    return ''
  }
}
