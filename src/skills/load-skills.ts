// All sources → the skills that count, with precedence, and everything there is to say about them.
import { basename } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import { createTimeSlice } from '../files/time-slice.ts'
import type { Diagnostic, Skill, Source } from '../types.ts'
import { readHead } from './read-head.ts'
import { readSkill, type SkillReading } from './read-skill.ts'
import { skillId, toValidName } from './skill-name.ts'
import { type SkillPlace, walkSource } from './walk-source.ts'

export type LoadedSkills = {
  readonly skills: ReadonlyMap<string, Skill>
  readonly diagnostics: readonly Diagnostic[]
}

/** What was made of each SKILL.md, with the beginning of the file that it was made of. */
export type SkillCache = Map<string, { readonly head: string; readonly reading: SkillReading }>

/** Loads the metadata of every skill. Later sources win on a name clash. Unchanged files are not parsed again. Never throws. */
export async function loadSkills(sources: readonly Source[], cache: SkillCache = new Map()): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>()
  const rankOf = new Map<Skill, number>()
  const diagnostics: Diagnostic[] = []
  const slice = createTimeSlice()

  for (const [rank, source] of sources.entries()) {
    const walk = await walkSource(source)
    diagnostics.push(...walk.diagnostics)
    const found: Skill[] = []
    for (const place of walk.places) {
      const reading = readUnlessKnown(place, source.name)
      diagnostics.push(...reading.diagnostics)
      if (reading.skill) found.push(withRoles(reading.skill, source))
      if (slice.spent()) await slice.rest()
    }
    // A skill that is named like its folder keeps its name; a copy elsewhere that kept it too has to give way.
    const [right, wrong] = [found.filter(isNamedLikeFolder), found.filter(skill => !isNamedLikeFolder(skill))]
    for (const skill of [...right, ...wrong]) admit(skill, rank)
  }
  return { skills, diagnostics }

  function readUnlessKnown(place: SkillPlace, sourceName: string): SkillReading {
    const key = `${sourceName}\0${place.plugin ?? ''}\0${place.file}`
    const head = readHead(place.file)
    if (typeof head !== 'string') return readSkill(place, sourceName, head)
    const known = cache.get(key)
    if (known?.head === head) return known.reading
    const reading = readSkill(place, sourceName, head)
    cache.set(key, { head, reading })
    return reading
  }

  function admit(skill: Skill, rank: number): void {
    rankOf.set(skill, rank)
    const holder = skills.get(skill.id)
    if (!holder || holder.folder === skill.folder) {
      skills.set(skill.id, skill)
    } else if (rankOf.get(holder) !== rank) {
      skills.set(skill.id, skill)
      tellLoser(holder, skill)
    } else {
      admitUnderFolderName(skill, holder)
    }
  }

  /** Copies within one source often keep the name of the original: their folder tells them apart. */
  function admitUnderFolderName(skill: Skill, holder: Skill): void {
    const name = toValidName(basename(skill.folder))
    const id = skillId(name, skill.plugin)
    const other = skills.get(id)
    if (other && rankOf.get(other) === rankOf.get(skill)) {
      tellLoser(skill, holder)
      return
    }
    const renamed = { ...skill, id, name }
    rankOf.set(renamed, rankOf.get(skill)!)
    skills.set(id, renamed)
    if (other) tellLoser(other, renamed)
    const message = `The name ${skill.id} is taken by ${holder.file}; this skill is called ${id} after its folder.`
    diagnostics.push(
      diagnose('name-taken', { file: skill.file, line: 1 }, { message, hint: `Write \`name: ${name}\`.` }),
    )
  }

  function tellLoser(loser: Skill, winner: Skill): void {
    const message = `The name ${loser.id} belongs to ${winner.file} (source ${winner.source}), so this skill is not used.`
    const hint = 'Rename one of the two skills, or reorder the sources.'
    diagnostics.push(diagnose('name-taken', { file: loser.file, line: 1 }, { message, hint }))
  }
}

function withRoles(skill: Skill, { roles }: Source): Skill {
  return roles ? { ...skill, roles } : skill
}

function isNamedLikeFolder(skill: Skill): boolean {
  return skill.name === basename(skill.folder)
}
