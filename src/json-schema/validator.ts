// One Ajv for everything that is checked against a JSON Schema (2020-12).
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { ajvLibrary, re2Library } from '../libraries.ts'
import type { JsonSchema } from '../types.ts'
import { schemaWeight } from './schema-weight.ts'

let ajv: Ajv2020 | undefined

const MAX_WEIGHT = 100_000

const validators = new WeakMap<JsonSchema, ValidateFunction>()

/**
 * Compiled at the first use: most of ten thousand tools are never called. Throws on a schema that is none, unless it is known to be
 * sound: finding out takes longer than all the rest of a first call.
 */
export function validatorOf(schema: JsonSchema, { isSound = false } = {}): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const checking = checker()
  // Throws as well when `$schema` names a dialect that it does not know.
  if (!isSound && !checking.validateSchema(schema))
    throw new Error(checking.errorsText(checking.errors, { dataVar: 'schema' }))
  if (schemaWeight(schema) > MAX_WEIGHT) throw new Error('its references multiply to more than can be checked')
  const validator = checking.compile(schema)
  validators.set(schema, validator)
  return validator
}

/** Why a schema cannot be used; undefined when it can. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  try {
    validatorOf(schema)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function checker(): Ajv2020 {
  ajv ??= new (ajvLibrary().Ajv2020)({
    allErrors: true,
    strict: false,
    discriminator: true,
    // Errors that hold their schema can name what would have been right.
    verbose: true,
    // Formats are advice for the model; what a script takes only the script knows.
    validateFormats: false,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    // Most schemas are used once or twice: tidying up what is generated takes longer than it saves.
    code: { regExp: linearRegExp, optimize: false },
  })
  return ajv
}

/** A pattern from a skill must not hang us: `^(a+)+$` takes seconds on 28 characters in the built-in engine. */
function linearRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const { RE2JS } = re2Library()
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
  // Ajv keeps compiled patterns by their text.
  return { test: text => compiled.matcher(text).find(), toString: () => `re2(${pattern})` }
}
linearRegExp.code = 'new RegExp'
