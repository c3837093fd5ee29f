import type { JsonSchema } from '../types.ts'

/** What a script takes when nothing more is known of it. Shared by all such tools, so that it is compiled once. */
export const FREE_FORM_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    data: { description: 'Any JSON value; the script reads it from stdin.' },
    arguments: {
      description:
        "The script's command line: one text, split like a shell does, or a list with one item per argument.",
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
  },
  additionalProperties: false,
}

/** What a skill's prompt takes. */
export const PROMPT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { arguments: { type: 'string', description: 'What the skill should work on, in your own words.' } },
  additionalProperties: false,
}
