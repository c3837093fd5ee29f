// What the uses of an argument tell of it: its type, its default, whether it must be there, what it may be.
import type { Json } from '../../types.ts'
import { parameterPatterns } from './bindings.ts'
import { consequentOf, givesUp, guardingIf, isAlwaysReached } from './control-flow.ts'
import { evaluate, propertyKey } from './evaluate.ts'
import { binaryOf, type Call, callOf, methodCallOf, pathOf } from './expressions.ts'
import { asDefault } from './interface.ts'
import type { Script } from './script.ts'
import { type Node, partsOf, textOf } from './syntax-tree.ts'
import { chainChoices, lookupChoices, memberChoices, refusalChoices, switchChoices } from './value-choices.ts'
import { isNothing, noteArm, noteAssignment, noteConditional, noteDefault } from './value-defaults.ts'
import { calledFunction, declaredPattern, flowOf } from './value-flow.ts'

export type ValueFacts = {
  /** `boolean` when it is only ever tested. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  readonly required: boolean
  readonly default?: Json
  readonly choices?: readonly Json[]
  /** The first variable that takes it. */
  readonly name?: string
  /** True when the uses show that it is a text or a number, not merely something that is handed on. */
  readonly certain: boolean
  /** Where it is compared with a flag, so that it is not always a plain word. */
  readonly flag?: Node
}

/** Reads the uses of expressions that all carry the same argument. */
export function factsOf(script: Script, starts: readonly Node[], declared?: ValueFacts['type']): ValueFacts {
  const found: Findings = { tested: false, used: false, required: false }
  const seen = new Set<Node>()
  const kinds = starts.map(start => followStart(script, start, found, seen))
  // Read as a number in one place and as text in another, it can be any text.
  if (kinds.includes('text') && kinds.includes('number')) delete found.number
  return conclude(found, declared)
}

function followStart(script: Script, start: Node, found: Findings, seen: Set<Node>): 'text' | 'number' | 'neither' {
  const own: Findings = { tested: false, used: false, required: false }
  const pending = [start]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    for (const place of flowOf(script, next)) {
      if (seen.has(place) || seen.size > 500 || script.scope?.excludes(place)) continue
      seen.add(place)
      const converted = noteUse(script, place, own)
      if (converted !== undefined) pending.push(converted)
    }
  }
  const { tested, used, required, shown, ...more } = own
  Object.assign(found, {
    ...more,
    ...found,
    tested: found.tested || tested,
    used: found.used || used || shown === true,
    required: found.required || required,
  })
  return own.number !== undefined ? 'number' : used ? 'text' : 'neither'
}

export type Findings = {
  number?: 'integer' | 'number'
  tested: boolean
  used: boolean
  required: boolean
  default?: Json
  choices?: readonly Json[]
  name?: string
  /** The key of the object that it is put in. */
  key?: string
  /** Only printed, which says nothing of the type. */
  shown?: boolean
  /** Something else takes its place when it is missing. */
  replaced?: boolean
  /** Used as only a text can be. */
  text?: boolean
  flag?: Node
}

function conclude(found: Findings, declared: ValueFacts['type'] | undefined): ValueFacts {
  const isSwitch = found.tested && !found.used && found.number === undefined && found.choices === undefined
  const onlyDefaulted = !found.used && typeof found.default === 'boolean'
  const used = found.number ?? (isSwitch || onlyDefaulted ? 'boolean' : 'string')
  const type = declared === undefined || declared === 'string' ? used : declared
  const { default: fallback } = asDefault(found.default, type)
  return {
    type,
    certain:
      found.number !== undefined || found.choices !== undefined || found.text === true || typeof fallback === 'string',
    required: found.required && fallback === undefined && found.replaced !== true,
    ...(found.flag === undefined ? {} : { flag: found.flag }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(found.choices === undefined ? {} : { choices: found.choices }),
    ...((found.name ?? found.key) === undefined ? {} : { name: found.name ?? found.key }),
  }
}

/** Notes one use; answers with an expression that carries the converted value, to be followed as well. */
function noteUse(script: Script, place: Node, found: Findings): Node | undefined {
  const parent = place.parent
  if (parent === null) return undefined
  switch (parent.name) {
    case 'VariableDeclaration': {
      const pattern = declaredPattern(place)
      if (pattern?.name === 'VariableDefinition') found.name ??= textOf(pattern)
      else found.used = true
      return undefined
    }
    case 'BinaryExpression':
      return noteBinary(script, place, parent, found)
    case 'UnaryExpression':
      return noteUnary(script, parent, found)
    case 'ConditionalExpression':
      if (partsOf(parent)[0] === place) noteConditional(script, place, parent, found)
      else if (partsOf(parent)[1] === place) noteArm(script, parent, found)
      return undefined
    case 'ArgList':
      return noteArgument(script, place, parent, found)
    case 'MemberExpression':
      return noteMember(script, place, parent, found)
    case 'IfStatement':
    case 'WhileStatement':
      found.tested = true
      return undefined
    case 'SwitchStatement':
      found.used = true
      noteChoices(switchChoices(script, parent), found)
      return undefined
    case 'AssignmentExpression':
      noteAssignment(script, parent, found)
      return undefined
    case 'Property':
      noteKey(parent, found)
      found.used = true
      return undefined
    case 'Interpolation':
      found.shown = true
      return undefined
    case 'ParenthesizedExpression':
    case 'ReturnStatement':
    case 'ExpressionStatement':
    case 'ArrowFunction':
      return undefined
    default:
      if (parent.name !== 'AwaitExpression') found.used = true
      return undefined
  }
}

function noteKey(property: Node, found: Findings): void {
  const key = propertyKey(property)
  if (key !== undefined) found.key ??= key
}

function noteBinary(script: Script, place: Node, parent: Node, found: Findings): undefined {
  const binary = binaryOf(parent)
  if (binary === undefined) return undefined
  const isLeft = partsOf(parent)[0] === place
  const other = isLeft ? binary.right : binary.left
  switch (binary.operator) {
    case '||':
    case '??':
      if (!isLeft) {
        found.replaced ||= evaluate(script, other) === undefined
        return undefined
      }
      if (!givesUp(script, other)) found.replaced ||= !isNothing(script, other)
      else if (isAlwaysReached(script, parent)) found.required = true
      noteDefault(script, other, found)
      return undefined
    case '&&':
      if (isLeft) found.tested = true
      return undefined
    case '===':
    case '==':
    case '!==':
    case '!=':
      return noteComparison(script, parent, binary.operator, other, found)
    default:
      found.used = true
      found.text = true
      return undefined
  }
}

function noteComparison(script: Script, parent: Node, operator: string, other: Node, found: Findings): undefined {
  const text = textOf(other)
  if (text !== 'undefined' && text !== 'null' && text !== 'true' && text !== 'false') {
    found.used = true
    found.text = true
    if (/^['"`]-(?!-?help\b|h\b|-?version\b|v\b)-?\w/.test(text)) found.flag = parent
    noteChoices(operator.startsWith('=') ? chainChoices(script, parent) : refusalChoices(script, parent), found)
    return undefined
  }
  found.tested = true
  if (operator.startsWith('=') && (text === 'undefined' || text === 'null')) noteLack(script, parent, found)
  return undefined
}

function noteUnary(script: Script, parent: Node, found: Findings): undefined {
  const operator = textOf(parent)
  if (operator.startsWith('+')) found.number ??= 'number'
  if (!operator.startsWith('!')) return undefined
  found.tested = true
  noteLack(script, parent, found)
  return undefined
}

/** `if (!x) exit()` makes x required. */
function noteLack(script: Script, test: Node, found: Findings): void {
  const statement = guardingIf(test)
  const consequent = statement === undefined ? undefined : consequentOf(statement)
  if (statement === undefined || consequent === undefined) return
  if (givesUp(script, consequent) && isAlwaysReached(script, statement)) found.required = true
}

function noteArgument(script: Script, place: Node, list: Node, found: Findings): Node | undefined {
  const call = callOf(list.parent ?? undefined)
  const path = pathOf(call?.callee) ?? ''
  if (call === undefined) return undefined
  const isFirst = call.args[0] === place
  if (isFirst && /^(?:Number\.)?parseInt$|^BigInt$/.test(path)) {
    found.number = 'integer'
    return list.parent ?? undefined
  }
  if (isFirst && /^(?:Number|(?:Number\.)?parseFloat)$/.test(path)) {
    found.number ??= 'number'
    return list.parent ?? undefined
  }
  if (path === 'Boolean') {
    found.tested = true
    return undefined
  }
  if (path === 'String') {
    found.used = true
    return list.parent ?? undefined
  }
  if (path.startsWith('console.')) {
    found.shown = true
    return undefined
  }
  if (isFirst && /^(?:Number\.)?isNaN$/.test(path)) {
    noteLack(script, list.parent as Node, found)
    return undefined
  }
  const taken = parameterName(script, call, place)
  if (taken !== undefined) found.name ??= taken
  noteChoices(memberChoices(script, list.parent as Node), found)
  found.used = true
  if (
    /^(?:path|fs|fsp|JSON)\.|^(?:resolve|join|basename|readFile\w*|writeFile\w*|existsSync|fetch|URL|RegExp|Date)$/.test(
      path,
    )
  )
    found.text = true
  return undefined
}

/** How a function of this file calls what it is given. */
function parameterName(script: Script, call: Call, place: Node): string | undefined {
  const fn = calledFunction(script, call.callee)
  const pattern = fn === undefined ? undefined : parameterPatterns(fn)[call.args.indexOf(place)]
  return pattern?.name === 'VariableDefinition' ? textOf(pattern) : undefined
}

function noteMember(script: Script, place: Node, member: Node, found: Findings): Node | undefined {
  found.used = true
  found.text = true
  if (partsOf(member)[0] !== place) {
    const keys = lookupChoices(script, member)
    noteChoices(keys, found)
    if (keys !== undefined && isAlwaysReached(script, member)) found.required = true
    return undefined
  }
  const method = methodCallOf(member.parent ?? undefined)
  return method !== undefined && /^(?:trim|toLowerCase|toUpperCase|toString)$/.test(method.method)
    ? (member.parent ?? undefined)
    : undefined
}

function noteChoices(choices: readonly Json[] | undefined, found: Findings): void {
  if (choices !== undefined) found.choices ??= choices
}
