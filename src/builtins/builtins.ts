// The tools of the program's own, ready for a snapshot.
import type { Tool } from '../types.ts'
import { bash } from './bash.ts'
import { BUILTIN_NAMES, type Builtin, type BuiltinName } from './builtin.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { ls } from './ls.ts'
import { read } from './read.ts'
import { write } from './write.ts'

export const BUILTINS: Readonly<Record<BuiltinName, Builtin>> = { bash, read, write, edit, grep, glob, ls }

/** The tools that an option asks for. Throws `TypeError` on a name that there is not. */
export function builtinTools(wanted: boolean | readonly BuiltinName[] | undefined): Tool[] {
  const names = typeof wanted === 'object' ? [...new Set(wanted)] : wanted ? BUILTIN_NAMES : []
  return names.map(toTool)
}

function toTool(name: BuiltinName): Tool {
  if (!BUILTIN_NAMES.includes(name))
    throw new TypeError(`builtins: there is no ${JSON.stringify(name)}; there are ${BUILTIN_NAMES.join(', ')}`)
  const { description, inputSchema, annotations, timeoutMs } = BUILTINS[name]
  return {
    id: name,
    name,
    skill: 'builtin',
    description,
    inputSchema,
    executor: { type: 'builtin', name },
    timeoutMs,
    origin: 'builtin',
    annotations,
    category: 'workspace',
  }
}
