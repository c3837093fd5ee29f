// The three files that a compiled skill carries: its tools, what they were made of, and the report.
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Skill, ToolStatus } from '../types.ts'
import type { CompiledSkill } from './compile-skill.ts'
import { hashFile, takeFingerprint } from './fingerprint.ts'

export const ARTIFACTS = {
  tools: 'dynamic_tools.json',
  lock: 'dynamic_tools.lock.json',
  report: 'dynamic_tools.report.json',
} as const

/** Changes when the same sources would compile to other tools. */
const COMPILER_VERSION = 1

/**
 * Writes the artifacts of a skill; each is whole or not there, and the lock comes last, so that it never speaks of files
 * that are not written yet. False when they are up to date already. Throws as `fs` does.
 */
export function writeArtifacts(skill: Skill, compiled: CompiledSkill, shadowed: readonly ToolStatus[]): boolean {
  const lock = toJson({ ...makeLock(skill), shadowed: shadowed.map(tool => tool.id) })
  const isWritten = Object.values(ARTIFACTS).every(name => existsSync(join(skill.folder, name)))
  if (isWritten && readFileSync(join(skill.folder, ARTIFACTS.lock), 'utf8') === lock) return false

  writeWhole(join(skill.folder, ARTIFACTS.tools), toJson({ skill: skill.id, tools: compiled.tools }))
  writeWhole(join(skill.folder, ARTIFACTS.report), toJson(makeReport(skill, compiled, shadowed)))
  writeWhole(join(skill.folder, ARTIFACTS.lock), lock)
  return true
}

function makeLock(skill: Skill): object {
  const files = [...takeFingerprint(skill).files.keys()].map(
    path => [relative(skill.folder, path), hashFile(path)] as const,
  )
  return { compiler: COMPILER_VERSION, files: Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1))) }
}

function makeReport(
  { id, folder }: Skill,
  { tools, invalid, leftOut, diagnostics }: CompiledSkill,
  shadowed: readonly ToolStatus[],
): object {
  const hidden = new Set(shadowed.map(tool => tool.id))
  const ok = tools.filter(tool => !hidden.has(tool.id)).map(tool => ({ id: tool.id, status: 'ok' }))
  return {
    skill: id,
    compiled_ok: ok.length,
    invalid_tools: invalid.length,
    shadowed_tools: shadowed.length,
    tools: [...ok, ...invalid.map(inside), ...shadowed.map(inside)],
    left_out: leftOut,
    diagnostics: diagnostics.map(inside),
  }

  /** Paths as the skill's own: a folder can be moved. */
  function inside<T extends { readonly file?: string }>(one: T): T {
    return one.file === undefined ? one : { ...one, file: relative(folder, one.file) }
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** A reader sees the old file or the new one, never half of it. */
function writeWhole(path: string, text: string): void {
  const part = `${path}.${randomUUID()}.part`
  try {
    writeFileSync(part, text, { flush: true })
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}
