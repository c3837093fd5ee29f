import { fail } from '../errors.ts'
import type { Executor, PromptSpec, Skill } from '../types.ts'

export type PromptExecutorOptions = {
  /** Gives the processed body; throws when it cannot be read. */
  readonly render: (skill: Skill, args: string) => string
}

/** Answers with a skill's body, so that a model can ask for its instructions. */
export function createPromptExecutor({ render }: PromptExecutorOptions): Executor<PromptSpec> {
  return {
    type: 'prompt',
    async execute({ skill, args }) {
      try {
        return { ok: true, data: render(skill, String(args['arguments'] ?? '')) }
      } catch (error) {
        const message = `${skill.file} cannot be read: ${error instanceof Error ? error.message : String(error)}`
        return fail('SKILL_UNREADABLE', message, { nextAction: 'Go on without this skill, or tell the user.' })
      }
    },
  }
}
