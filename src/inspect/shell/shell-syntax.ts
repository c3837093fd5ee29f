// The parts of a shell script that matter for reading its interface. Plain data; `parse-shell.ts` makes it.

export type Word = { readonly parts: readonly WordPart[]; readonly offset: number }

export type WordPart =
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean }
  | Expansion
  /** `$(…)`, backticks and `<(…)`. */
  | { readonly type: 'command'; readonly commands: readonly Command[]; readonly quoted: boolean }
  | { readonly type: 'arithmetic'; readonly text: string; readonly quoted: boolean }

/** `$1`, `${name:-default}`, `${#list[@]}`, `${!name}`. */
export type Expansion = {
  readonly type: 'expansion'
  readonly name: string
  readonly prefix: '' | '#' | '!'
  readonly index?: string
  /** `:-`, `?`, `#`, `/` …, empty for a plain one. */
  readonly operator: string
  readonly argument?: Word
  readonly quoted: boolean
}

export type Assignment = {
  readonly name: string
  readonly append: boolean
  /** A list assignment, `name=(a b)`. */
  readonly items?: readonly Word[]
  readonly value?: Word
  /** `name[index]=value`. */
  readonly indexed: boolean
}

export type Redirect = {
  readonly operator: string
  readonly descriptor?: string
  readonly target?: Word
  /** Body of a here-document. */
  body?: Word
}

export type SimpleCommand = {
  readonly type: 'simple'
  readonly assignments: readonly Assignment[]
  readonly words: readonly Word[]
}

export type CaseCommand = { readonly type: 'case'; readonly subject: Word; readonly arms: readonly CaseArm[] }

export type CaseArm = {
  readonly patterns: readonly Word[]
  readonly body: readonly Command[]
  readonly offset: number
  /** `;;` ends the case, `;&` and `;;&` go on. */
  readonly end: string
}

export type LoopCommand = {
  readonly type: 'loop'
  readonly until: boolean
  readonly condition: readonly Command[]
  readonly body: readonly Command[]
}

export type ForCommand = {
  readonly type: 'for'
  readonly variable: string
  /** Absent when it runs over `"$@"`. */
  readonly words?: readonly Word[]
  readonly body: readonly Command[]
  readonly select: boolean
  /** What stands between the parentheses of `for ((…))`. */
  readonly arithmetic?: string
}

export type IfCommand = {
  readonly type: 'if'
  readonly branches: readonly { readonly condition: readonly Command[]; readonly body: readonly Command[] }[]
  readonly otherwise: readonly Command[]
}

export type Command = (
  | SimpleCommand
  | CaseCommand
  | LoopCommand
  | ForCommand
  | IfCommand
  | { readonly type: 'and' | 'or'; readonly left: Command; readonly right: Command }
  | { readonly type: 'pipe'; readonly commands: readonly Command[] }
  | { readonly type: 'not'; readonly command: Command }
  | { readonly type: 'function'; readonly name: string; readonly body: Command }
  | { readonly type: 'group'; readonly subshell: boolean; readonly body: readonly Command[] }
  /** `[[ … ]]`, as its words. */
  | { readonly type: 'test'; readonly words: readonly Word[] }
  | { readonly type: 'arithmetic'; readonly text: string }
) & { readonly offset: number; readonly redirects: readonly Redirect[] }
