// `Getopt::Long` and `Getopt::Std` in Perl.
import type { Json, ScriptParameter } from '../types.ts'
import type { InspectionNote } from './inspection.ts'
import { optionParameter } from './option-parameter.ts'
import { MOST_MATCHES, someMatches } from './source-code.ts'
import { lineAt, splitArguments, stringText } from './split-arguments.ts'

export type ReadOptions = { readonly parameters: readonly ScriptParameter[]; readonly gaps: readonly InspectionNote[] }

/** `code` is the script without comments and POD. */
export function readGetopt(code: string): ReadOptions {
  const gaps: InspectionNote[] = []
  const long = someMatches(code, /\bGetOptions\s{0,9}(?=\()/g, gaps).flatMap(call =>
    readLong(code, call.index + call[0].length, gaps),
  )
  const short = someMatches(code, /\bgetopts?\s{0,9}\(\s{0,9}(["'])([\w:]*)\1/g, gaps).flatMap(call =>
    readShort(call[2]!, lineAt(code, call.index)),
  )
  return { parameters: [...long, ...short], gaps }
}

function readLong(code: string, open: number, gaps: InspectionNote[]): readonly ScriptParameter[] {
  const found = splitArguments(code, open, '\\')
  if (!found || found.items.length > MOST_MATCHES) {
    gaps.push({ message: 'Declares its options in a way that could not be read', line: lineAt(code, open) })
    return []
  }
  const parameters: ScriptParameter[] = []
  const hash = /^\\%(\w+)$/.exec(found.items[0]?.text ?? '')?.[1]
  for (const { text, offset } of found.items.slice(hash === undefined ? 0 : 1)) {
    const line = lineAt(code, offset)
    const [, spec = '', target = ''] = /^("[^"]*"|'[^']*'|[\w|]+)\s*(?:=>\s*([\s\S]*))?$/.exec(text) ?? []
    const read = readSpec(stringText(spec) ?? spec, target.trim(), hash, code, line)
    if (!read) gaps.push({ message: 'Declares an option in a way that could not be read', line })
    else if (read !== 'help') parameters.push(read)
  }
  return parameters
}

/** `name|n=s@`: names, then `!`, `+`, or a type with `=` (a value) or `:` (perhaps a value). */
function readSpec(
  spec: string,
  target: string,
  hash: string | undefined,
  code: string,
  line: number,
): ScriptParameter | 'help' | undefined {
  const found = /^([\w?-]+(?:\|[\w?-]+)*)(!|\+|=([sif])([@%]?)(?:\{.*\})?)?$/.exec(spec)
  if (!found) return undefined
  const [, names = '', kind = '', type, container] = found
  if (container === '%' || spec.includes('{')) return undefined
  const flags = names.split('|').map(name => (name.length === 1 ? `-${name}` : `--${name}`))
  if (flags.some(flag => /^(?:--help|--man|--usage|--version|-\?)$/.test(flag))) return 'help'
  const [first = ''] = names.split('|')
  const variable = hash === undefined ? /^\\(?:my\s+)?([$@]\w+)$/.exec(target)?.[1] : `$${hash}{${first}}`
  const long = flags.find(flag => flag.startsWith('--'))
  return optionParameter({
    flags,
    value: type === 's' ? 'string' : type === 'i' ? 'integer' : type === 'f' ? 'number' : 'none',
    repeats: container === '@' || target.startsWith('\\@') || target.startsWith('\\my @'),
    counts: kind === '+',
    ...(kind === '!' && long ? { opposite: `--no-${long.slice(2)}` } : {}),
    ...initialOf(code, variable, hash, first),
    required: variable !== undefined && isDemanded(code, variable),
    line,
  })
}

function readShort(letters: string, line: number): readonly ScriptParameter[] {
  return [...letters.matchAll(/(\w)(:?)/g)]
    .filter(([, letter]) => letter !== 'h')
    .map(([, letter, value]) =>
      optionParameter({
        flags: [`-${letter}`],
        value: value === ':' ? 'string' : 'none',
        repeats: false,
        required: false,
        line,
      }),
    )
}

/** `my $name = 'x';` */
function initialOf(
  code: string,
  variable: string | undefined,
  hash: string | undefined,
  name: string,
): { initial?: Json } {
  if (variable === undefined) return {}
  const value = '("[^"\\n]*"|\'[^\'\\n]*\'|-?\\d+(?:\\.\\d+)?)'
  const pattern =
    hash === undefined ? `${escaped(variable)}\\s*=\\s*${value}\\s*;` : `\\b${escaped(name)}\\s*=>\\s*${value}\\s*[,)]`
  const found = new RegExp(pattern).exec(code)?.[1]
  if (found === undefined) return {}
  const text = stringText(found)
  return { initial: text ?? (Number.isNaN(Number(found)) ? null : Number(found)) }
}

/** `die … unless $name;`, `$name or die`, `pod2usage(…) unless defined $name`. */
function isDemanded(code: string, variable: string): boolean {
  const value = escaped(variable)
  const fails = '(?:die|pod2usage|usage|croak|exit)\\b'
  return (
    new RegExp(`${fails}[^;{}]{0,200}?\\bunless\\s*\\(?\\s*(?:defined\\s*\\(?\\s*)?${value}\\s*\\)*\\s*;`).test(code) ||
    new RegExp(`(?:^|[;{}\\s])(?:defined\\s*\\(?\\s*)?${value}\\s*\\)?\\s*(?:or|\\|\\|)\\s*${fails}`).test(code) ||
    new RegExp(`\\bunless\\s*\\(\\s*(?:defined\\s*\\(?\\s*)?${value}\\s*\\)+\\s*\\{[^}]{0,200}${fails}`).test(code) ||
    new RegExp(`\\bif\\s*\\(\\s*!\\s*(?:defined\\s*\\(?\\s*)?${value}\\s*\\)+\\s*\\{[^}]{0,200}${fails}`).test(code)
  )
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
