import { docstring } from './description.ts'
import { executeBlock } from './execute.ts'
import { EXHAUSTED, FINISHED, type Machine, RAISED } from './machine.ts'
import type { Module } from './parse-module.ts'
import { createScope, type Scope } from './scope.ts'
import { text } from './values.ts'

export type Walk = {
  readonly scope: Scope
  /** False when the walk had to be given up. */
  readonly ended: boolean
}

/** Walks a script from top to bottom, as far as its command line. */
export function walkModule(module: Module, machine: Machine): Walk {
  const scope = createScope()
  scope.names.set('__name__', text('__main__'))
  const doc = docstring(module.statements)
  if (doc !== undefined) scope.names.set('__doc__', text(doc))
  try {
    executeBlock(module.statements, scope, machine)
  } catch (error) {
    if (error === EXHAUSTED) return { scope, ended: false }
    if (error !== FINISHED && error !== RAISED) throw error
  }
  return { scope, ended: true }
}
