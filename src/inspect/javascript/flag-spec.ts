// The small language in which commander and its kin declare flags and arguments: `-p, --port <n>`, `[files...]`.

export type FlagSpec = {
  /** Long spellings first. */
  readonly flags: readonly string[]
  /** The property in the parsed options: `--dry-run` is `dryRun`, `--no-color` is `color`. */
  readonly key: string
  readonly negated: boolean
  readonly value: 'none' | 'required' | 'optional'
  readonly variadic: boolean
}

export function readFlagSpec(text: string): FlagSpec | undefined {
  const flags = text.split(/[ ,|=]+/).filter(word => /^--?[^-]/.test(word))
  const ordered = flags.sort((a, b) => Number(b.startsWith('--')) - Number(a.startsWith('--')))
  const [main] = ordered
  if (main === undefined) return undefined
  const value = /[<[]([^>\]]*)[>\]]/.exec(text)
  const negated = main.startsWith('--no-')
  return {
    flags: ordered,
    key: camelCase(main.replace(negated ? /^--no-/ : /^--?/, '')),
    negated,
    value: value === null ? 'none' : value[0].startsWith('<') ? 'required' : 'optional',
    variadic: value?.[1]?.endsWith('...') === true,
  }
}

export type ArgumentSpec = { readonly name: string; readonly required: boolean; readonly variadic: boolean }

/** The arguments in `clone <source> [folder]`, and the words before them. */
export function readArgumentSpecs(text: string): { words: readonly string[]; specs: readonly ArgumentSpec[] } {
  const words: string[] = []
  const specs: ArgumentSpec[] = []
  for (const [part] of text.matchAll(/<[^>]*>|\[[^\]]*\]|[^\s<[]+/g)) {
    if (!/^[<[]/.test(part)) {
      words.push(part)
      continue
    }
    // yargs names a second spelling after a bar, and writes two dots.
    const name = part.slice(1, -1).split('|', 1)[0]?.trim() ?? ''
    specs.push({
      name: name.replace(/^\.{2,3}|\.{2,3}$/g, ''),
      required: part.startsWith('<'),
      variadic: name.includes('..'),
    })
  }
  return { words, specs }
}

export function camelCase(text: string): string {
  return text.replace(/-+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
