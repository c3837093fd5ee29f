import { SkillInvocationError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { quoteWords } from '../text/quote-words.ts'
import { type CallerOptions, callerOf } from './config.ts'
import { printData, printJson } from './output.ts'
import { UsageError } from './usage-error.ts'

/** `skillwright skill <name> [arguments]`: prints the processed body of a skill. */
export async function skill(
  runtime: Runtime,
  options: CallerOptions,
  name: string,
  words: readonly string[],
): Promise<number> {
  try {
    const body = await runtime.invokeSkill(name, quoteWords(words), callerOf(options))
    if (options.json) printJson({ skill: name, body })
    else printData(body)
    return 0
  } catch (error) {
    if (!(error instanceof SkillInvocationError) || error.code !== 'SKILL_NOT_FOUND') throw error
    throw new UsageError([error.message, ...error.hints].join(' '))
  }
}
