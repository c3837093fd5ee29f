import { SkillInvocationError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import type { CommonOptions } from './config.ts'
import { print, printJson } from './output.ts'
import { UsageError } from './usage-error.ts'

/** `skillwright skill <name> [arguments]`: prints the processed body of a skill. */
export async function skill(
  runtime: Runtime,
  options: CommonOptions,
  name: string,
  words: readonly string[],
): Promise<number> {
  try {
    const body = await runtime.invokeSkill(name, words.join(' '))
    if (options.json) printJson({ skill: name, body })
    else print(body)
    return 0
  } catch (error) {
    if (!(error instanceof SkillInvocationError)) throw error
    throw new UsageError([error.message, ...error.hints].join(' '))
  }
}
