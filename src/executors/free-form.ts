import { splitWords } from '../text/split-words.ts'
import type { Json } from '../types.ts'

export type Invocation = {
  /** What stands between the interpreter and the script. */
  readonly launcher?: readonly string[]
  /** What follows the script. */
  readonly argv: readonly string[]
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** Values that must not be seen in what the program writes. */
  readonly secrets?: ReadonlySet<string>
}

/** `arguments` becomes the command line, `data` is JSON on stdin. The arguments have been validated. */
export function buildFreeForm(args: { readonly [name: string]: Json }): Invocation {
  const line = args['arguments']
  const argv = typeof line === 'string' ? splitWords(line) : ((line ?? []) as readonly string[])
  return args['data'] === undefined ? { argv } : { argv, stdin: JSON.stringify(args['data']) }
}
