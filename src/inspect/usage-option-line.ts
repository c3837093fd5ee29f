// Option lines of a usage text: `  -o, --out FILE   where to write (default: x)`.

export type OptionLine = {
  readonly flags: readonly string[]
  /** The placeholder of its value; absent for a flag that stands alone. */
  readonly value?: string
  /** `--colour[=WHEN]`: the value may be left out. */
  readonly valueOptional: boolean
  readonly description: string
}

const FLAG = /^-{1,2}[A-Za-z0-9?][\w-]*/
/** `=VALUE`, ` <value>`, ` VALUE`, ` {a|b}`, ` "text"`, and a lower-case word when a gap or the end follows it. */
const VALUE =
  /^(?:=\s?|\s)?(\[=?[^\]\s]+\]|<[^>]+>|\{[^}]+\}|\([^)\s]*\|[^)\s]*\)|"[^"]+"|'[^']+'|[A-Z0-9][A-Z0-9_:/.|-]*(?![\w])|\w[\w.-]*(?:\|[\w.-]+)+|[a-z][\w:/.-]*(?=\s{2,}|\t|\s+[-–—]\s|$))(?:\.\.\.|…)?/

/** Reads one line; undefined when it is none. */
export function readOptionLine(line: string): OptionLine | undefined {
  let rest = line
    .trim()
    .replace(/^[*•`|]\s*/, '')
    .replace(/^-\s+(?=`?-)/, '')
    .replace(/^`([^`]+)`/, '$1  ')
  if (!FLAG.test(rest)) return undefined
  const flags: string[] = []
  let value: string | undefined
  for (;;) {
    const flag = FLAG.exec(rest)?.[0]
    if (flag === undefined) break
    flags.push(flag)
    rest = rest.slice(flag.length)
    const found = VALUE.exec(rest)
    if (found && !/^\s{2}/.test(rest)) {
      value = found[1]
      rest = rest.slice(found[0].length)
    }
    const separator = /^\s*(?:,|\||\/|\bor\b)\s*(?=-)/.exec(rest) ?? /^\s(?=--?[A-Za-z])/.exec(rest)
    if (!separator) break
    rest = rest.slice(separator[0].length)
  }
  if (rest !== '' && !/^(?:\s|[:,.–—-])/.test(rest)) return undefined
  const description = rest
    .replace(/^[\s:–—-]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return {
    flags,
    ...(value === undefined ? {} : { value: value.replace(/^\[=?|\]$|^["']|["']$/g, '') }),
    valueOptional: value?.startsWith('[') ?? false,
    description,
  }
}
