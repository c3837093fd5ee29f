// What a script has told argparse so far.
import type { ClassValue, Value } from './values.ts'

/** A parser while it is filled. */
export type ParserModel = {
  readonly born: number
  readonly at: number
  description?: string
  readonly arguments: ParserArgument[]
  readonly exclusive: ExclusiveModel[]
  readonly defaults: Map<string, Value>
  subParsers?: SubParsersModel
  /** Default of every argument that has none. */
  argumentDefault?: Value
  /** What could not be read, so that the answer is only part of the truth. */
  readonly doubts: Doubt[]
  /** Settings that change how a command line is read. */
  prefixChars: string
  fromFile: boolean
  /** A flag that is declared again belongs to the later argument. */
  laterWins: boolean
  readonly of?: ClassValue
}

export type ParserArgument = {
  /** `add_argument("-x", "--xyz")`: the names as given. */
  readonly names: readonly string[]
  /** Keyword arguments as given. */
  readonly options: Map<string, Value>
  readonly exclusive?: number
  readonly at: number
}

export type ExclusiveModel = { readonly required: Value; readonly at: number }

export type SubParsersModel = {
  readonly dest?: string
  required: Value
  readonly parsers: {
    readonly name: string
    readonly parser: ParserModel
    readonly help?: string
    readonly at: number
  }[]
  readonly at: number
}

export type Doubt = { readonly message: string; readonly at: number }
