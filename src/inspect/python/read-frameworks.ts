// click, typer and fire: the script is walked up to the point where it hands its command line over.
import { aliasesOf } from './annotation.ts'
import type { ReadCommands } from './argparse-commands.ts'
import type { Launch } from './cli-model.ts'
import { clickCommands } from './click-commands.ts'
import { fireCommands } from './fire-commands.ts'
import { createMachine, EXHAUSTED, type Machine, RAISED, SIDE_STEPS } from './machine.ts'
import type { Module } from './parse-module.ts'
import { lookUp, type Scope } from './scope.ts'
import { typerCommand } from './typer-commands.ts'
import { text, type Value } from './values.ts'
import { walkModule } from './walk-module.ts'

/** Commands of a script that uses one of the frameworks; undefined when it does not. */
export function readFrameworks(module: Module, sibling: Machine['sibling']): ReadCommands | undefined {
  if (!FRAMEWORKS.test(module.text)) return undefined
  const machine = createMachine(sibling)
  const { scope } = walkModule(module, machine)
  const launch = machine.launches.find(({ certain }) => certain) ?? machine.launches[0]
  if (!launch) return undefined
  machine.branch = 0
  machine.limit = machine.steps + 4 * SIDE_STEPS
  try {
    const read = commandsOf(launch, { module, machine, scope })
    const others = machine.launches.filter(({ target }) => !sameTarget(target, launch.target))
    if (others.length === 0) return read
    return opened(read, 'Which commands the script takes depends on more than its source.', module.lineAt(launch.at))
  } catch (error) {
    if (error !== EXHAUSTED && error !== RAISED) throw error
    return { commands: [], notes: [{ message: 'The script is too long to follow.', line: module.lineAt(launch.at) }] }
  }
}

const FRAMEWORKS = /^\s*(?:import|from)\s+(?:[\w., ]+,\s*)?(?:rich_)?(?:click|typer|fire)\b/m

type Context = { readonly module: Module; readonly machine: Machine; readonly scope: Scope }

function commandsOf({ target, at }: Launch, { module, machine, scope }: Context): ReadCommands {
  const { lineAt, statements } = module
  const aliases = aliasesOf(statements)
  switch (target.is) {
    case 'command':
      return clickCommands(target.command, machine, lineAt)
    case 'app':
      return clickCommands(typerCommand(target.app, { machine, aliases }), machine, lineAt)
    case 'fire':
      return fireCommands(target.component ?? everything(module, scope), { machine, aliases, lineAt, at })
  }
}

/** `fire.Fire()` offers what the script defines. */
function everything({ statements }: Module, scope: Scope): Value {
  const entries = new Map<string, readonly [Value, Value]>()
  for (const statement of statements) {
    if (statement.kind !== 'function' && statement.kind !== 'class') continue
    const value = lookUp(scope, statement.name)
    if (value && !statement.name.startsWith('_')) entries.set(`s${statement.name}`, [text(statement.name), value])
  }
  return { kind: 'dict', entries, born: 0 }
}

function sameTarget(left: Launch['target'], right: Launch['target']): boolean {
  if (left.is === 'command') return right.is === 'command' && left.command === right.command
  if (left.is === 'app') return right.is === 'app' && left.app === right.app
  return right.is === 'fire' && left.component === right.component
}

/** The same commands, with a reason why they may not be all. */
export function opened({ commands, notes }: ReadCommands, message: string, line: number): ReadCommands {
  return {
    commands: commands.map(command => ({ ...command, convention: { ...command.convention, open: true } })),
    notes: [...notes, { message, line }],
  }
}
