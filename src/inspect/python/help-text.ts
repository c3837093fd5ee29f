// Help texts as argparse shows them.
import type { Json } from '../../types.ts'
import type { Value } from './values.ts'

type Known = {
  readonly fallback: { readonly value?: Json } | 'unknown' | undefined
  readonly choices: readonly Json[] | null | undefined
}

/** The help in one line with `%(default)s` and the like filled in; empty when it is hidden or not known. */
export function expandHelp(help: Value, known: Known): string {
  if (help.kind !== 'str' || help.value === '==SUPPRESS==') return ''
  const fallback = typeof known.fallback === 'object' ? known.fallback.value : undefined
  return help.value
    .replace(/\(?\s*default:?\s*%\(default\)[a-z]\s*\)?/gi, whole =>
      fallback === undefined ? '' : whole.replace(/%\(default\)[a-z]/i, show(fallback)),
    )
    .replace(/%\(default\)[a-z]/g, () => (fallback === undefined ? 'its default' : show(fallback)))
    .replace(/%\(choices\)[a-z]/g, () => (known.choices ?? []).map(show).join(', '))
    .replace(/%\(prog\)[a-z]/g, 'the script')
    .replace(/%\(\w+\)[a-z]/g, '')
    .replaceAll('%%', '%')
    .replace(/\s+/g, ' ')
    .trim()
}

function show(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
