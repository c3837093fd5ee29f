// `def main(a: str, b: int = 3)` in a script that reads no command line and never calls it.
import type { FunctionParameter, Json, JsonSchema } from '../../types.ts'
import type { CallableFunction, InspectionNote } from '../inspection.ts'
import { firstParagraph } from '../paragraph.ts'
import {
  type Annotation,
  type AnnotationContext,
  aliasesOf,
  choicesOf,
  lastName,
  readAnnotation,
} from './annotation.ts'
import { initialOf } from './click-parameter.ts'
import { docstring } from './description.ts'
import { describedParameters } from './docstring-parameters.ts'
import { evaluate } from './evaluate.ts'
import { createMachine, type Machine } from './machine.ts'
import type { Module } from './parse-module.ts'
import type { Parameter, Statement } from './syntax.ts'
import { toJson, type Value } from './values.ts'
import { visitStatements } from './visit-syntax.ts'
import { walkModule } from './walk-module.ts'

export type ReadMain = { readonly callable: CallableFunction; readonly notes: readonly InspectionNote[] }

/** The `main` that a caller can call; undefined when there is none, or when the script calls it itself. */
export function readMain(module: Module, sibling: Machine['sibling']): ReadMain | undefined {
  const { statements, lineAt } = module
  const main = statements.findLast(statement => statement.kind === 'function' && statement.name === 'main')
  if (main?.kind !== 'function' || main.parameters.length === 0 || isUsed(statements)) return undefined
  const machine = createMachine(sibling)
  const { scope } = walkModule(module, machine)
  const context: AnnotationContext = { scope, machine, aliases: aliasesOf(statements) }
  const doc = docstring(main.body()) ?? ''
  const described = describedParameters(doc)
  const notes: InspectionNote[] = []
  const parameters = main.parameters.flatMap(parameter => {
    const isNamed = parameter.form === 'plain' || parameter.form === 'keyword-only'
    if (isNamed) return functionParameter(parameter, described.get(parameter.name), context, module, notes)
    notes.push({ message: `\`${parameter.name}\` cannot be given by name.`, line: lineAt(parameter.at) })
    return []
  })
  const description = firstParagraph(doc)
  return {
    callable: {
      convention: { type: 'python-function', function: 'main', parameters },
      ...(description ? { description } : {}),
      line: lineAt(main.at),
    },
    notes,
  }
}

/** Whether anything outside of functions mentions `main`. */
function isUsed(statements: readonly Statement[]): boolean {
  let used = false
  visitStatements(statements, {
    statement: statement => (statement.kind === 'function' ? false : undefined),
    expression: expression => {
      if (expression.kind === 'name' && expression.name === 'main') used = true
    },
  })
  return used
}

function functionParameter(
  parameter: Parameter,
  described: string | undefined,
  context: AnnotationContext,
  { lineAt }: Module,
  notes: InspectionNote[],
): FunctionParameter {
  const annotation = parameter.annotation && readAnnotation(parameter.annotation, context)
  const fallback = parameter.fallback && evaluate(parameter.fallback, context.scope, context.machine)
  const initial = fallback && initialOf(fallback)
  const line = lineAt(parameter.at)
  if (initial === 'unknown') notes.push({ message: `The default of \`${parameter.name}\` could not be read.`, line })
  const type = annotation ? annotatedSchema(annotation) : schemaOfDefault(fallback)
  if (!type) notes.push({ message: `The type of \`${parameter.name}\` could not be read.`, line })
  return {
    name: parameter.name,
    schema: {
      ...type,
      ...(initial === undefined || initial === null || initial === 'unknown' ? {} : { default: initial }),
      ...(described ? { description: described.replace(/\s+/g, ' ').trim() } : {}),
    },
    required: parameter.fallback === undefined,
    line,
  }
}

function annotatedSchema({ base, list, tuple }: Annotation): JsonSchema | undefined {
  if (tuple) return { type: 'array', minItems: tuple.length, maxItems: tuple.length }
  const one = atomSchema(base)
  return one && list ? { type: 'array', items: one } : one
}

function atomSchema(base: Annotation['base']): JsonSchema | undefined {
  const choices = choicesOf(base)?.map(toJson)
  if (choices) return choices.includes(undefined) ? undefined : { enum: choices as Json[] }
  if (typeof base === 'string' || !('value' in base) || base.value.kind !== 'external') return undefined
  return TYPES[lastName(base.value.path)]
}

const TYPES: Readonly<Record<string, JsonSchema>> = {
  str: { type: 'string' },
  Path: { type: 'string' },
  int: { type: 'integer' },
  float: { type: 'number' },
  bool: { type: 'boolean' },
  dict: { type: 'object' },
  Dict: { type: 'object' },
  Any: {},
  object: {},
}

/** Without an annotation the default shows the type; without both, anything may be given. */
function schemaOfDefault(value: Value | undefined): JsonSchema {
  switch (value?.kind) {
    case 'str':
      return { type: 'string' }
    case 'int':
      return { type: 'integer' }
    case 'float':
      return { type: 'number' }
    case 'bool':
      return { type: 'boolean' }
    default:
      return {}
  }
}
