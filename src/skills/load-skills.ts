// All sources → the skills that count, with precedence, and everything there is to say about them.
import { basename } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import { createTimeSlice } from '../files/time-slice.ts'
import type { Diagnostic, Skill, Source } from '../types.ts'
import { readSkill } from './read-skill.ts'
import { skillId, toValidName } from './skill-name.ts'
import { walkSource } from './walk-source.ts'

export type LoadedSkills = {
  readonly skills: ReadonlyMap<string, Skill>
  readonly diagnostics: readonly Diagnostic[]
}

/** Loads the metadata of every skill. Later sources win on a name clash. Never throws. */
export async function loadSkills(sources: readonly Source[]): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>()
  const diagnostics: Diagnostic[] = []
  const slice = createTimeSlice()

  for (const source of sources) {
    const walk = await walkSource(source)
    diagnostics.push(...walk.diagnostics)
    for (const place of walk.places) {
      const reading = readSkill(place, source.name)
      diagnostics.push(...reading.diagnostics)
      if (reading.skill) admit(reading.skill)
      if (slice.spent()) await slice.rest()
    }
  }
  return { skills, diagnostics }

  function admit(skill: Skill): void {
    const holder = skills.get(skill.id)
    if (!holder || holder.folder === skill.folder) {
      skills.set(skill.id, skill)
    } else if (holder.source !== skill.source) {
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
    if (skills.has(id)) {
      tellLoser(skill, holder)
      return
    }
    skills.set(id, { ...skill, id, name })
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
