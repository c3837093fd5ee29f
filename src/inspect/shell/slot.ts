// A parameter in the making: what the walk through the script has found out about it so far.

export type Slot = {
  readonly place: SlotPlace
  /** Where in the text it was first read. */
  offset: number
  /** How many command words stand before it. */
  readonly level: number
  /** Variables that held it, in order. */
  readonly names: string[]
  /** Variables that held something made of it. */
  readonly derivedNames: string[]
  /** True when the script fails without it, false when the script is known to do without. */
  required?: boolean
  initial?: string
  /** Read other than in a question; `sure`, on every way through the script. */
  used: boolean
  sure: boolean
  /** Handed to a program or put into a text; what is only compared is not. */
  spent: boolean
  /** Flags that it is compared with. */
  readonly flagWords: string[]
  /** Used as a number, and nowhere as a word. */
  numeric: boolean
  worded: boolean
  minimum?: number
  maximum?: number
  choices?: readonly string[]
  /** The script would not take a value that begins with `-`. */
  refusesDash: boolean
}

export type SlotPlace =
  | { readonly at: 'position'; readonly index: number }
  /** All arguments from `from` on, as a list, or joined to one text (`"$*"`). */
  | { readonly at: 'rest'; readonly from: number; readonly joined: boolean }
  | { readonly at: 'stdin' }
  | { readonly at: 'flag'; readonly flag: Flag }

export type Flag = {
  readonly flags: string[]
  takes: 'nothing' | 'count' | 'next' | 'equals'
  /** Given several times, its values add up. */
  repeats: boolean
}

export function createSlot(place: SlotPlace, offset: number, level: number): Slot {
  return {
    place,
    offset,
    level,
    names: [],
    used: false,
    spent: false,
    flagWords: [],
    derivedNames: [],
    sure: false,
    numeric: false,
    worded: false,
    refusesDash: false,
  }
}

/** What a variable or a positional holds, as far as it matters. */
export type Value =
  | { readonly type: 'text'; readonly text: string }
  /** The slot's value, or something `derived` from it, `partly` when other text is around it. */
  | { readonly type: 'slot'; readonly slot: Slot; readonly derived: boolean; readonly partly?: boolean }
  /** The word that a loop over flags is looking at, and what follows its `=`. */
  | { readonly type: 'token'; readonly slot: Slot }
  /** A word that such a loop takes for no flag. */
  | { readonly type: 'stray' }
  /** A list of the arguments from `from` on, or of those that a loop over flags has `collected`. */
  | { readonly type: 'arguments'; readonly from: number; readonly name?: string; readonly collected?: boolean }
  /** One of several literal words. */
  | { readonly type: 'words'; readonly texts: readonly string[] }
  | { readonly type: 'unknown' }

export const UNKNOWN: Value = { type: 'unknown' }

/** What `$1`, `$2` … and `"$@"` mean: values known one by one, then the script's arguments from `rest` on. */
export type Scope = { readonly known: readonly Value[]; readonly rest: number | undefined }
