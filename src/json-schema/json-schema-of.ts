// Schemas of ours as JSON Schema, in few words: models and clients read them at every start.
import { z } from 'zod'
import type { JsonSchema } from '../types.ts'

type Schema = z.core.JSONSchema.BaseSchema

/** What the schema takes; of answers, too, since those of a later version may hold more. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => shorten(jsonSchema),
  })
  return rest as JsonSchema
}

function shorten(schema: Schema): void {
  // All keys are texts, and anything is what a value may be anyway.
  if (isOnly(schema.propertyNames, { type: 'string' })) delete schema.propertyNames
  if (isOnly(schema.additionalProperties, {})) delete schema.additionalProperties
  const [one, orNull, ...others] = schema.anyOf ?? []
  const isNullable = isOnly(orNull, { type: 'null' }) && others.length === 0
  if (!isNullable || typeof one !== 'object' || typeof one.type !== 'string' || one.enum || one.const) return
  delete schema.anyOf
  Object.assign(schema, { ...one, ...schema, type: [one.type, 'null'] })
}

const isOnly = (found: unknown, wanted: object): boolean => JSON.stringify(found) === JSON.stringify(wanted)
