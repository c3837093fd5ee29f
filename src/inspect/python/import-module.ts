// Modules that a script imports: those of the skill are read, the others are known by name only.
import { executeBlock } from './execute.ts'
import { EXHAUSTED, type Machine, RAISED, SIDE_STEPS } from './machine.ts'
import { parseModule } from './parse-module.ts'
import { createScope, type Scope } from './scope.ts'
import { isStandardModule } from './standard-modules.ts'
import { text, type Value } from './values.ts'

/** A module by its dotted path; `dots` are those of a relative import. */
export function importModule(path: string, dots: number, machine: Machine): Value {
  const file = dots === 0 && isStandardModule(path) ? undefined : siblingFile(path, dots, machine.sibling)
  if (!file) return { kind: 'external', path }
  return { kind: 'module', scope: () => moduleScope(file, path, machine) }
}

/** The file of the skill that an import names, when there is one. */
export function siblingFile(path: string, dots: number, sibling: Machine['sibling']): string | undefined {
  const base = path.replaceAll('.', '/')
  // Scripts often put their parent folder on the path.
  const folders = dots > 0 ? ['../'.repeat(dots - 1)] : ['', '../']
  for (const folder of folders) {
    for (const file of base ? [`${folder}${base}.py`, `${folder}${base}/__init__.py`] : [`${folder}__init__.py`]) {
      if (sibling(file) !== undefined) return file
    }
  }
  return undefined
}

function moduleScope(file: string, path: string, machine: Machine): Scope | undefined {
  if (machine.modules.has(file)) return machine.modules.get(file)
  // Set before it runs, so that circular imports end.
  const scope = createScope(undefined, true)
  machine.modules.set(file, scope)
  const parsed = parseModule(machine.sibling(file) ?? '')
  if (!parsed.ok) return undefined
  scope.names.set('__name__', text(path))
  const { limit, branch } = machine
  machine.limit = Math.min(limit, machine.steps + SIDE_STEPS)
  machine.branch = 0
  try {
    executeBlock(parsed.module.statements, scope, machine)
  } catch (error) {
    if (error !== RAISED && error !== EXHAUSTED) throw error
  } finally {
    machine.limit = limit
    machine.branch = branch
  }
  return scope
}
