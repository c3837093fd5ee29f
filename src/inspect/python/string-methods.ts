// Methods of strings that scripts use to build names and help texts.
import { itemsOf } from './evaluate.ts'
import { type Arguments, LONGEST_TEXT, type Machine } from './machine.ts'
import { text, truth, UNKNOWN, unsure, type Value } from './values.ts'

export function callStringMethod(value: string, name: string, args: Arguments, machine: Machine): Value {
  const plain = args.positional.map(argument => (argument.kind === 'str' ? argument.value : undefined))
  const [first, second] = plain
  switch (name) {
    case 'lower':
    case 'casefold':
      return text(value.toLowerCase())
    case 'upper':
      return text(value.toUpperCase())
    case 'title':
      return text(value.toLowerCase().replace(/\p{L}+/gu, word => word.charAt(0).toUpperCase() + word.slice(1)))
    case 'capitalize':
      return text(value.charAt(0).toUpperCase() + value.slice(1).toLowerCase())
    case 'strip':
      return args.positional.length === 0 ? text(value.trim()) : strip(value, first, true, true)
    case 'lstrip':
      return args.positional.length === 0 ? text(value.trimStart()) : strip(value, first, true, false)
    case 'rstrip':
      return args.positional.length === 0 ? text(value.trimEnd()) : strip(value, first, false, true)
    case 'replace':
      if (first === undefined || second === undefined || plain.length > 2) return UNKNOWN
      if (first === '' || (value.length / first.length) * second.length > LONGEST_TEXT) return UNKNOWN
      return text(value.replaceAll(first, () => second))
    case 'startswith':
      return first === undefined ? UNKNOWN : truth(value.startsWith(first))
    case 'endswith':
      return first === undefined ? UNKNOWN : truth(value.endsWith(first))
    case 'removeprefix':
      return first === undefined ? UNKNOWN : text(value.startsWith(first) ? value.slice(first.length) : value)
    case 'removesuffix':
      return first === undefined
        ? UNKNOWN
        : text(first && value.endsWith(first) ? value.slice(0, -first.length) : value)
    case 'split':
    case 'splitlines': {
      if (args.positional.length > 1 || args.named.size > 0) return UNKNOWN
      if (args.positional.length === 1 && !first) return UNKNOWN
      const pieces = name === 'splitlines' ? value.split('\n') : first ? value.split(first) : value.trim().split(/\s+/)
      return {
        kind: 'list',
        items: pieces.filter((piece, _, all) => piece || first || all.length > 1).map(text),
        born: machine.branch,
      }
    }
    case 'join': {
      const source = args.positional[0]
      const items = source && itemsOf(source)
      const words = items?.map(item => (item.kind === 'str' ? item.value : undefined))
      if (!words || words.includes(undefined)) return unsure(...(items ?? [source ?? UNKNOWN]))
      if (words.length * value.length > LONGEST_TEXT) return UNKNOWN
      return text(words.join(value))
    }
    default:
      return UNKNOWN
  }
}

function strip(value: string, characters: string | undefined, start: boolean, end: boolean): Value {
  if (characters === undefined) return UNKNOWN
  let from = 0
  let to = value.length
  while (start && from < to && characters.includes(value.charAt(from))) from++
  while (end && to > from && characters.includes(value.charAt(to - 1))) to--
  return text(value.slice(from, to))
}
