/**
 * Reads the YAML that nearly all frontmatter is made of — `key: text` lines, at most one level deep — and gives up
 * (undefined) on anything else, which is then read by a full parser. It exists for speed: most of the time of loading
 * thousands of skills went into parsing such lines. A test holds it equal to the full parser.
 */
export function parseSimpleYaml(yaml: string): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {}
  let nested: Record<string, unknown> | undefined
  for (const raw of yaml.split('\n')) {
    const line = raw.trimEnd()
    if (line === '') continue
    const found = LINE.exec(line)
    if (!found) return undefined
    const [, indent, key, value] = found as unknown as [string, string, string, string]
    const target: Record<string, unknown> | undefined = indent === '' ? fields : nested
    if (!target || Object.hasOwn(target, key) || key === '__proto__') return undefined
    if (indent === '') nested = undefined
    if (value === '') {
      if (indent !== '') return undefined
      nested = {}
      target[key] = nested
      continue
    }
    const text = readScalar(value)
    if (text === undefined) return undefined
    target[key] = text
  }
  return Object.values(fields).every(isNotEmptyMap) ? fields : undefined
}

const LINE = /^((?: {2})?)([A-Za-z_][A-Za-z0-9_-]*):(?: +(?=\S)|$)(.*)$/

function readScalar(value: string): string | undefined {
  if (QUOTED.test(value)) return value.slice(1, -1)
  return PLAIN.test(value) && !KEYWORD.test(value) ? value : undefined
}

// Printable characters only, so that no line break or tab of another alphabet slips through.
const QUOTED = /^(?:"[^"\\\t\r\x00-\x1f\x7f\x85\u2028\u2029]*"|'[^'\t\r\x00-\x1f\x7f\x85\u2028\u2029]*')$/
const PLAIN = /^[A-Za-z](?:(?!: | #|:$)[^\t\r\x00-\x1f\x7f\x85\u2028\u2029\ufeff])*$/
const KEYWORD = /^(?:null|true|false|Null|True|False|NULL|TRUE|FALSE)$/

// `key:` with nothing below it is null, not an empty map: leave that to the full parser.
const isNotEmptyMap = (value: unknown): boolean => typeof value === 'string' || Object.keys(value as object).length > 0
