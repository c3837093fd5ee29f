// What a script that reads `sys.argv` by hand shows of its command line.
import type { Json } from '../../types.ts'

/** What a name stands for while the script is followed. */
export type Ref =
  /** `sys.argv[offset:]`; `plain` when what looks like a flag was taken out of it, `mapped` when all were converted. */
  | { readonly is: 'list'; readonly offset: number; readonly plain: boolean; readonly mapped?: true }
  | { readonly is: 'item'; readonly index: number }
  /** `len()` of a list that starts at `offset`. */
  | { readonly is: 'length'; readonly offset: number }
  /** Where a flag stands. */
  | { readonly is: 'place'; readonly flag: string }
  /** What follows a flag. */
  | { readonly is: 'value'; readonly flag: string }
  /** The running position of a loop over the arguments, and what stands there. */
  | { readonly is: 'loop-index' }
  | { readonly is: 'loop-item' }
  | { readonly is: 'constant'; readonly value: Json }

export type Names = Map<string, Ref>

/** How many words there are, `argv[0]` included, at some point of the script. */
export type Bounds = { readonly min: number; readonly max: number }

export type Position = {
  name?: string
  /** Names that say less: of a parameter it is handed to, and of what is made from it. */
  hint?: string
  weak?: string
  /** Words that it is compared with. */
  readonly choices: Set<string>
  type: 'string' | 'integer' | 'number'
  fallback?: Json
  /** It is `None` when it is missing. */
  empty?: boolean
  /** Read where it may be missing. */
  loose: boolean
  /** The script makes sure that it is no flag. */
  guarded: boolean
  readonly at: number
}

export type Flag = {
  readonly flag: string
  /** Undefined for a switch. */
  value?: { name?: string; type: 'string' | 'integer' | 'number'; fallback?: Json }
  /** Other spellings. */
  readonly aliases: string[]
  /** `--flag=value`, in one word. */
  joined: boolean
  readonly at: number
}

/** What is known at one point of the script. `sure` where every run comes by. */
export type ArgvState = { readonly names: Names; readonly bounds: Bounds; readonly sure: boolean }

/** All words from a position on. */
export type Rest = {
  readonly from: number
  readonly name?: string
  /** As one text. */
  readonly joined: boolean
  readonly type: Position['type']
  readonly at: number
}

/** The findings of one walk. */
export type ArgvReading = {
  readonly positions: Map<number, Position>
  readonly flags: Map<string, Flag>
  rest?: Rest
  /** Words that are only shown, which counts when nothing else reads them. */
  printed?: Rest
  /** Words that the first argument is compared with, and where. */
  readonly words: Map<string, number>
  readonly doubts: { readonly message: string; readonly at: number }[]
}

export function createReading(): ArgvReading {
  return { positions: new Map(), flags: new Map(), words: new Map(), doubts: [] }
}
