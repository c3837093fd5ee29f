// What a script has told click, typer or fire so far.
import type { ArgumentType } from './argparse-type.ts'
import type { Arguments } from './machine.ts'
import type { FunctionValue, Value } from './values.ts'

export type CliObject =
  | { readonly is: 'command'; readonly command: CliCommand }
  | { readonly is: 'app'; readonly app: TyperApp }
  | { readonly is: 'type'; readonly type: CliType }
  /** `typer.Option(...)` or `typer.Argument(...)`. */
  | { readonly is: 'info'; readonly form: CliParameter['form']; readonly args: Arguments; readonly at: number }
  | { readonly is: 'decorator'; readonly apply: (value: Value) => Value }

/** A type that click reads values with; `size` when it takes several at once. */
export type CliType = ArgumentType & { readonly size?: number }

/** A click command, or a group of them when it has `children`. */
export type CliCommand = {
  readonly born: number
  readonly at: number
  /** Undefined when click derives it in a way that depends on its version. */
  readonly name: string | undefined
  readonly description?: string
  readonly parameters: CliParameter[]
  readonly children?: CliChild[]
  /** The group itself does something when no command is given. */
  readonly runsAlone: boolean
  readonly doubts: CliDoubt[]
}

export type CliChild = { readonly name: string; readonly command: CliCommand }

export type CliParameter = {
  readonly form: 'option' | 'argument'
  /** `"-n", "--name"`, as given. */
  readonly names: readonly string[]
  readonly settings: ReadonlyMap<string, Value>
  /** A reason why the declaration could not be read as a whole. */
  readonly doubt?: string
  readonly at: number
}

export type CliDoubt = { readonly message: string; readonly at: number }

/** A typer app: commands are derived from the functions once the app is called. */
export type TyperApp = {
  readonly born: number
  readonly at: number
  readonly settings: Arguments
  readonly commands: TyperEntry[]
  readonly apps: { readonly app: TyperApp; readonly settings: Arguments; readonly at: number }[]
  callback?: TyperEntry
  readonly doubts: CliDoubt[]
}

export type TyperEntry = { readonly callback: FunctionValue; readonly settings: Arguments; readonly at: number }

/** The script hands its command line over. */
export type Launch = {
  readonly certain: boolean
  readonly at: number
  readonly target:
    | { readonly is: 'command'; readonly command: CliCommand }
    | { readonly is: 'app'; readonly app: TyperApp }
    | { readonly is: 'fire'; readonly component: Value | undefined }
}
