// Names as the specification wants them, and what to call a skill whose author did not follow it.
import { createHash } from 'node:crypto'

const RULE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_LENGTH = 64

export const NAME_RULE = '1–64 lowercase letters, digits and single hyphens, none at the edge'

export function isValidName(name: string): boolean {
  return name.length <= MAX_LENGTH && RULE.test(name)
}

/** The nearest name that keeps the rule: `My Skill` → `my-skill`. Names without a Latin letter get a hash. */
export function toValidName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  return slug || `skill-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}

/** `plugin:skill`, or the skill's name alone. */
export function skillId(name: string, plugin?: string): string {
  return plugin === undefined ? name : `${plugin}:${name}`
}

/** The id that a person may have meant: `My Plugin:My Skill` → `my-plugin:my-skill`. */
export function toSkillId(text: string): string {
  return text.split(':').map(toValidName).join(':')
}
