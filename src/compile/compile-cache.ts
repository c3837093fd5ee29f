// Compiled skills by folder, so that what has not changed is not compiled again.
import type { Skill } from '../types.ts'
import type { CompiledSkill, CompileOptions } from './compile-skill.ts'
import { type Fingerprint, hashFiles, isCurrent, isSame, takeFingerprint } from './fingerprint.ts'

export type CompileCache = {
  /** The skill's tools, compiled again when its files or its metadata have changed. */
  get(skill: Skill): Promise<CompiledSkill>
  /** Whether the skill on disk is not the one that was compiled. */
  isStale(skill: Skill): boolean
}

type Entry = {
  readonly skill: Skill
  readonly fingerprint: Fingerprint
  readonly hash: string
  readonly compiled: CompiledSkill
}

export function createCompileCache(options: CompileOptions): CompileCache {
  const entries = new Map<string, Entry>()
  return {
    async get(skill) {
      const known = entries.get(skill.folder)
      const isSameSkill = known?.skill.id === skill.id && known.skill.source === skill.source
      if (known && isSameSkill && isCurrent(known.fingerprint)) return known.compiled
      const fingerprint = takeFingerprint(skill)
      if (known && isSameSkill && isSame(known.fingerprint, fingerprint)) {
        entries.set(skill.folder, { ...known, fingerprint })
        return known.compiled
      }
      const hash = hashFiles(fingerprint.files.keys(), skill.folder)
      const compiled = known && isSameSkill && known.hash === hash ? known.compiled : await compile(skill)
      entries.set(skill.folder, { skill, fingerprint, hash, compiled })
      return compiled
    },
    isStale(skill) {
      const known = entries.get(skill.folder)
      return !known || !(isCurrent(known.fingerprint) || isSame(known.fingerprint, takeFingerprint(skill)))
    },
  }

  /** The compiler is more than half of all code, and whoever only asks for skills and their texts never needs it. */
  async function compile(skill: Skill): Promise<CompiledSkill> {
    const { compileSkill } = await import('./compile-skill.ts')
    return compileSkill(skill, options)
  }
}
