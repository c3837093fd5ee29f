import { yamlLibrary } from '../libraries.ts'

type Quoted = {
  readonly text: string
  /** The lines that were changed, from 0. */
  readonly lines: readonly number[]
}

/**
 * Puts quotes around plain `key: value` values that are not YAML on their own, such as `description: Use when: …`.
 * Continuation lines of such a value are joined to it. Text inside block scalars is left alone.
 */
export function quoteBrokenValues(yaml: string): Quoted {
  const input = yaml.split('\n')
  const output: string[] = []
  const lines: number[] = []
  for (let i = 0; i < input.length; i++) {
    const line = input[i]!
    const found = PLAIN_VALUE.exec(line.trimEnd())
    if (!found) {
      output.push(line)
      continue
    }
    const [, head = '', value = ''] = found
    const last = lastLineOfValue(input, i)
    if (BLOCK_SCALAR.test(value)) {
      output.push(...input.slice(i, last + 1))
    } else if (isBroken(input.slice(i, last + 1))) {
      const whole = [value, ...input.slice(i + 1, last + 1).map(part => part.trim())].filter(Boolean).join(' ')
      output.push(head + JSON.stringify(whole))
      lines.push(i)
    } else {
      output.push(line)
      continue
    }
    i = last
  }
  return { text: output.join('\n'), lines }
}

const PLAIN_VALUE = /^(\s*(?:- )?[A-Za-z_][\w.-]*:[ \t]+|\s*- )(\S.*)$/
const BLOCK_SCALAR = /^[|>][-+0-9]*\s*(?:#.*)?$/

/** The value's last line: everything that is indented deeper than its key belongs to it. */
function lastLineOfValue(lines: readonly string[], start: number): number {
  const depth = /^\s*(?:- (?=[A-Za-z_][\w.-]*:[ \t]))?/.exec(lines[start]!)![0].length
  let last = start
  for (let i = start + 1; i < lines.length; i++) {
    if (lines[i]!.trim() === '') continue
    if (indentation(lines[i]!) <= depth) break
    last = i
  }
  return last
}

/** Whether a key or item with its value is no YAML on its own. */
function isBroken(lines: readonly string[]): boolean {
  try {
    const document = yamlLibrary().parseDocument(lines.join('\n'), { logLevel: 'silent' })
    if (document.errors.length === 0) document.toJS()
    return document.errors.length > 0
  } catch {
    // An alias without its anchor: `*important*`.
    return true
  }
}

function indentation(line: string): number {
  return line.length - line.trimStart().length
}
