// Calls on typer itself.

import type { TyperApp } from './cli-model.ts'
import { decorating } from './click-calls.ts'
import type { Arguments, Machine } from './machine.ts'
import { NONE, UNKNOWN, type Value } from './values.ts'

type Cli = Extract<Value, { kind: 'cli' }>

/** `typer.<name>(...)`; undefined when it is not typer's own. */
export function callTyper(name: string, args: Arguments, machine: Machine, at: number): Value | undefined {
  switch (name) {
    case 'Typer': {
      const app: TyperApp = { born: machine.branch, at, settings: args, commands: [], apps: [], doubts: [] }
      if (args.open || args.named.has('cls'))
        app.doubts.push({ message: 'The settings of the app could not be read.', at })
      return { kind: 'cli', cli: { is: 'app', app } }
    }
    case 'Option':
    case 'Argument':
      return { kind: 'cli', cli: { is: 'info', form: name === 'Option' ? 'option' : 'argument', args, at } }
    default:
      return undefined
  }
}

/** A method of an app. The functions stay what they are. */
export function appMethod(target: Cli, name: string, args: Arguments, machine: Machine, at: number): Value {
  if (target.cli.is !== 'app') return UNKNOWN
  const { app } = target.cli
  const doubt = (message: string) => app.doubts.push({ message, at })
  if (machine.branch !== app.born) doubt('The app is changed only under a condition that could not be read.')
  switch (name) {
    case 'command':
    case 'callback':
      return decorating(args, (callback, settings) => {
        if (callback.kind !== 'function') doubt('A command is added that could not be read.')
        else if (name === 'callback') app.callback = { callback, settings, at }
        else app.commands.push({ callback, settings, at })
        return callback
      })
    case 'add_typer': {
      const added = args.positional[0] ?? args.named.get('typer_instance')
      if (added?.kind === 'cli' && added.cli.is === 'app') app.apps.push({ app: added.cli.app, settings: args, at })
      else doubt('An app is added that could not be read.')
      return NONE
    }
    default:
      return UNKNOWN
  }
}
