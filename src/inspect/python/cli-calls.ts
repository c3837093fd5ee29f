// Calls on click, typer and fire: each is noted down, and the script's own command line ends the walk.

import type { Launch } from './cli-model.ts'
import { callClick, commandMethod } from './click-calls.ts'
import { type Arguments, FINISHED, type Machine } from './machine.ts'
import { appMethod, callTyper } from './typer-calls.ts'
import { NONE, RUNTIME, UNKNOWN, type Value } from './values.ts'

type Cli = Extract<Value, { kind: 'cli' }>

/** A function of a framework; undefined when it is of none. */
export function callFramework(path: string, args: Arguments, machine: Machine, place: number): Value | undefined {
  const [library, ...rest] = path.split('.')
  const name = rest.join('.')
  const at = machine.site ?? place
  switch (library) {
    case 'click':
    case 'rich_click':
      return callClick(name, args, machine, at)
    case 'typer': {
      if (name !== 'run') return callTyper(name, args, machine, at) ?? callClick(name, args, machine, at)
      const app = callTyper('Typer', NO_ARGUMENTS, machine, at)
      if (app?.kind !== 'cli') return UNKNOWN
      appMethod(app, 'command', { ...NO_ARGUMENTS, positional: args.positional }, machine, at)
      return launch(app, machine, at)
    }
    case 'fire':
      return name === 'Fire' || name === 'core.Fire' ? callFire(args, machine, at) : undefined
    case 'functools':
      return name === 'wraps' ? wraps(args.positional[0]) : undefined
    default:
      return undefined
  }
}

/** `cli()`, `app()`, or a decorator that is applied. */
export function callCli(target: Cli, args: Arguments, machine: Machine, place: number): Value {
  const { cli } = target
  if (cli.is === 'decorator') return cli.apply(args.positional[0] ?? UNKNOWN)
  if (cli.is !== 'command' && cli.is !== 'app') return UNKNOWN
  // `cli(["--x"])` is a command line of the script's own making.
  if (args.positional.length > 0 || args.named.has('args')) return RUNTIME
  return launch(target, machine, machine.site ?? place)
}

export function callCliMethod(target: Cli, name: string, args: Arguments, machine: Machine, place: number): Value {
  if (name === 'main' || name === '__call__') return callCli(target, args, machine, place)
  const at = machine.site ?? place
  if (target.cli.is === 'command') return commandMethod(target, target.cli.command, name, args, machine, at)
  return target.cli.is === 'app' ? appMethod(target, name, args, machine, at) : UNKNOWN
}

const NO_ARGUMENTS: Arguments = { positional: [], named: new Map(), open: false }

function launch(target: Cli, machine: Machine, at: number): Value {
  const { cli } = target
  return cli.is === 'command' || cli.is === 'app' ? record(cli, machine, at) : UNKNOWN
}

function callFire(args: Arguments, machine: Machine, at: number): Value {
  // With `command=` fire does not look at the command line.
  if (args.named.has('command') || args.positional.length > 1 || args.open) return UNKNOWN
  return record({ is: 'fire', component: args.positional[0] ?? args.named.get('component') }, machine, at)
}

function record(target: Launch['target'], machine: Machine, at: number): Value {
  const certain = machine.branch === 0
  machine.launches.push({ target, certain, at })
  if (certain) throw FINISHED
  return NONE
}

/** The wrapper has the signature and the click options of what it wraps. */
function wraps(wrapped: Value | undefined): Value {
  const apply = (value: Value): Value =>
    value.kind === 'function' && wrapped?.kind === 'function'
      ? { ...value, wraps: wrapped, ...(wrapped.declared ? { declared: wrapped.declared } : {}) }
      : value
  return { kind: 'cli', cli: { is: 'decorator', apply } }
}
