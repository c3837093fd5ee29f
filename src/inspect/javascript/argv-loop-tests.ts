// What a condition inside a loop over the command line says of the word at hand.
import type { ArgLoop } from './argv-loop.ts'
import { evaluateText, evaluateTexts } from './evaluate.ts'
import { binaryOf, memberOf, methodCallOf } from './expressions.ts'
import type { Script } from './script.ts'
import { type Node, textOf, unwrap } from './syntax-tree.ts'

export type FlagTest = {
  readonly kind: 'flag'
  readonly flags: readonly string[]
  /** `--out=`, where the value comes with the flag. */
  readonly prefixes: readonly string[]
}

export type WordTest = FlagTest | { readonly kind: 'any-flag' } | { readonly kind: 'other' }

const OTHER: WordTest = { kind: 'other' }

export function readTest(script: Script, loop: ArgLoop, condition: Node): WordTest {
  const node = unwrap(condition)
  const binary = binaryOf(node)
  if (binary?.operator === '||')
    return either(readTest(script, loop, binary.left), readTest(script, loop, binary.right))
  if (binary?.operator === '&&') {
    const left = readTest(script, loop, binary.left)
    const right = readTest(script, loop, binary.right)
    // `a.startsWith('--') && a.includes('=')`: the first arm is the narrower word.
    return left.kind === 'flag' || right.kind === 'other' ? left : right
  }
  if (binary !== undefined && /^===?$/.test(binary.operator)) return equality(script, loop, binary.left, binary.right)
  return methodTest(script, loop, node)
}

function either(left: WordTest, right: WordTest): WordTest {
  if (left.kind === 'flag' && right.kind === 'flag')
    return { kind: 'flag', flags: [...left.flags, ...right.flags], prefixes: [...left.prefixes, ...right.prefixes] }
  return left.kind === right.kind ? left : OTHER
}

function equality(script: Script, loop: ArgLoop, left: Node, right: Node): WordTest {
  const [word, literal] = flagPrefix(loop, left) === undefined ? [right, left] : [left, right]
  const prefix = flagPrefix(loop, word)
  const text = prefix === undefined ? undefined : evaluateText(script, literal)
  if (text !== undefined) return { kind: 'flag', flags: [prefix + text], prefixes: [] }
  const first = memberOf(left)
  const isFirstLetter = first?.index !== undefined && textOf(first.index) === '0' && loop.current.has(first.object)
  return isFirstLetter && evaluateText(script, right) === '-' ? { kind: 'any-flag' } : OTHER
}

/** `''` for the word itself, `--` for the word without its dashes. */
export function flagPrefix(loop: ArgLoop, node: Node): string | undefined {
  const word = unwrap(node)
  if (loop.current.has(word)) return ''
  const call = methodCallOf(word)
  if (call === undefined || !loop.current.has(call.object)) return undefined
  const first = call.args[0] === undefined ? '' : textOf(call.args[0])
  const isCut = /^(?:slice|substring|substr)$/.test(call.method) && first === '2' && call.args.length === 1
  return isCut || (call.method === 'replace' && /^\/\^--|^['"]--['"]$/.test(first)) ? '--' : undefined
}

function methodTest(script: Script, loop: ArgLoop, node: Node): WordTest {
  const call = methodCallOf(node)
  const [argument] = call?.args ?? []
  if (call?.method === 'startsWith' && loop.current.has(call.object)) {
    const prefix = evaluateText(script, argument)
    if (prefix === '-' || prefix === '--') return { kind: 'any-flag' }
    return prefix?.startsWith('-') && prefix.endsWith('=') ? { kind: 'flag', flags: [], prefixes: [prefix] } : OTHER
  }
  const isListed = call?.method === 'includes' || call?.method === 'has'
  if (call === undefined || !isListed || argument === undefined || !loop.current.has(unwrap(argument))) return OTHER
  const flags = evaluateTexts(script, call.object)
  return flags?.every(flag => flag.startsWith('-')) ? { kind: 'flag', flags, prefixes: [] } : OTHER
}
