// Python as the inspector sees it: a small syntax tree, plain data. What does not matter to any reader is `other`.

export type Expression =
  | { readonly kind: 'string'; readonly value: string; readonly at: number }
  | { readonly kind: 'bytes'; readonly at: number }
  | { readonly kind: 'format'; readonly parts: readonly FormatPart[]; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly float: boolean; readonly at: number }
  | { readonly kind: 'constant'; readonly value: boolean | null; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string; readonly at: number }
  | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression; readonly at: number }
  | { readonly kind: 'slice'; readonly bounds: readonly (Expression | undefined)[]; readonly at: number }
  | Call
  | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly Expression[]; readonly at: number }
  | { readonly kind: 'star'; readonly value: Expression; readonly at: number }
  | { readonly kind: 'dict'; readonly entries: readonly DictEntry[]; readonly at: number }
  | Comprehension
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression; readonly at: number }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
      readonly at: number
    }
  | {
      readonly kind: 'conditional'
      readonly test: Expression
      readonly yes: Expression
      readonly no: Expression
      readonly at: number
    }
  | {
      readonly kind: 'lambda'
      readonly parameters: readonly Parameter[]
      readonly body: Expression
      readonly at: number
    }
  | { readonly kind: 'walrus'; readonly name: string; readonly value: Expression; readonly at: number }
  | { readonly kind: 'await'; readonly value: Expression; readonly at: number }
  | { readonly kind: 'other'; readonly at: number }

/** A piece of an f-string: text, or an expression with its `!r` or `:spec` as written. */
export type FormatPart = string | { readonly value: Expression; readonly spec: string }

export type Call = {
  readonly kind: 'call'
  readonly callee: Expression
  readonly args: readonly Argument[]
  readonly at: number
}

/** `spread` is the `*` or `**` before it. */
export type Argument = { readonly name?: string; readonly spread?: '*' | '**'; readonly value: Expression }

export type DictEntry = { readonly key?: Expression; readonly value: Expression }

export type Comprehension = {
  readonly kind: 'comprehension'
  readonly form: 'list' | 'set' | 'dict' | 'generator'
  readonly element: Expression
  /** The value of a dict comprehension. */
  readonly value?: Expression
  readonly clauses: readonly ComprehensionClause[]
  readonly at: number
}

export type ComprehensionClause = {
  readonly target: Expression
  readonly source: Expression
  readonly tests: readonly Expression[]
}

export type Parameter = {
  readonly name: string
  readonly form: 'plain' | 'positional-only' | 'keyword-only' | 'args' | 'kwargs'
  readonly annotation?: Expression
  readonly fallback?: Expression
  readonly at: number
}

export type Statement =
  | { readonly kind: 'expression'; readonly value: Expression; readonly at: number }
  | {
      readonly kind: 'assign'
      readonly targets: readonly Expression[]
      readonly annotation?: Expression
      readonly value: Expression
      readonly at: number
    }
  /** `name: type` without a value. */
  | { readonly kind: 'declare'; readonly target: Expression; readonly annotation: Expression; readonly at: number }
  | {
      readonly kind: 'update'
      readonly target: Expression
      readonly operator: string
      readonly value: Expression
      readonly at: number
    }
  | Import
  | FunctionDefinition
  | ClassDefinition
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise?: Body; readonly at: number }
  | {
      readonly kind: 'for'
      readonly target: Expression
      readonly source: Expression
      readonly body: Body
      readonly otherwise?: Body
      readonly at: number
    }
  | { readonly kind: 'while'; readonly test: Expression; readonly body: Body; readonly at: number }
  | {
      readonly kind: 'try'
      readonly body: Body
      readonly handlers: readonly Handler[]
      readonly otherwise?: Body
      readonly finally?: Body
      readonly at: number
    }
  | { readonly kind: 'with'; readonly items: readonly WithItem[]; readonly body: Body; readonly at: number }
  | { readonly kind: 'match'; readonly cases: readonly Body[]; readonly at: number }
  | { readonly kind: 'return'; readonly value?: Expression; readonly at: number }
  | { readonly kind: 'raise'; readonly value?: Expression; readonly at: number }
  | { readonly kind: 'delete'; readonly targets: readonly Expression[]; readonly at: number }
  | { readonly kind: 'global'; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'break' | 'continue' | 'pass' | 'other'; readonly at: number }

/** Read when asked for: most function bodies never are. */
export type Body = () => readonly Statement[]

export type Branch = { readonly test: Expression; readonly body: Body }
/** `types` are the names of the exceptions; empty for a bare `except`. */
export type Handler = { readonly types: readonly string[]; readonly name?: string; readonly body: Body }
export type WithItem = { readonly value: Expression; readonly target?: Expression }

export type Import = {
  readonly kind: 'import'
  /** Leading dots of a relative import. */
  readonly dots: number
  /** `a.b` of `from a.b import c`; absent for a plain `import`. */
  readonly from?: string
  /** `*` for everything. */
  readonly names: readonly { readonly name: string; readonly as?: string }[]
  readonly at: number
}

export type FunctionDefinition = {
  readonly kind: 'function'
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly returns?: Expression
  readonly decorators: readonly Expression[]
  readonly isAsync: boolean
  readonly body: Body
  /** Source of the whole definition, for quick looks. */
  readonly text: () => string
  readonly at: number
}

export type ClassDefinition = {
  readonly kind: 'class'
  readonly name: string
  readonly bases: readonly Argument[]
  readonly decorators: readonly Expression[]
  readonly body: Body
  readonly at: number
}
