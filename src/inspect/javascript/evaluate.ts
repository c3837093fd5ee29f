// The value of a constant expression, as far as it can be known without running anything.
import type { Json } from '../../types.ts'
import type { Binding } from './bindings.ts'
import { binaryOf, callOf, memberOf, methodCallOf, pathOf, stringValue, unescapeText } from './expressions.ts'
import { requiredModule } from './imports.ts'
import { combine, isRecord, type Known, numeric, short, walk } from './known-values.ts'
import { bindingOf, type Script } from './script.ts'
import { childNamed, type Node, partsOf, textOf, unwrap } from './syntax-tree.ts'

/** Values of parameters, when the body of a function is read for one of its calls. */
export type Environment = ReadonlyMap<Binding, Json>

/** Undefined when the value depends on anything but constants. */
export function evaluate(
  script: Script,
  node: Node | undefined,
  environment: Environment = NOTHING,
): Known | undefined {
  return node === undefined ? undefined : new Evaluation(script, environment).of(node)
}

export function evaluateText(script: Script, node: Node | undefined, environment?: Environment): string | undefined {
  const known = evaluate(script, node, environment)
  return typeof known?.value === 'string' ? known.value : undefined
}

/** The list of texts an expression stands for; a single text is a list of one. */
export function evaluateTexts(script: Script, node: Node | undefined): readonly string[] | undefined {
  const value = evaluate(script, node)?.value
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.every(item => typeof item === 'string') ? (value as string[]) : undefined
}

const NOTHING: Environment = new Map()

// Hostile sources make constants of constants without end.
const MOST_STEPS = 5_000

/** One evaluation, with its budget. */
class Evaluation {
  readonly #script: Script
  readonly #environment: Environment
  #steps = MOST_STEPS

  constructor(script: Script, environment: Environment) {
    this.#script = script
    this.#environment = environment
  }

  of(node: Node): Known | undefined {
    if (this.#steps-- <= 0) return undefined
    const expression = unwrap(node)
    switch (expression.name) {
      case 'String':
        return { value: stringValue(expression) }
      case 'Number':
        return numeric(textOf(expression))
      case 'BooleanLiteral':
        return { value: textOf(expression) === 'true' }
      case 'null':
        return { value: null }
      case 'TemplateString':
        return this.#template(expression)
      case 'ArrayExpression':
        return this.#array(expression)
      case 'ObjectExpression':
        return this.#object(expression)
      case 'UnaryExpression':
        return this.#unary(expression)
      case 'BinaryExpression':
        return this.#binary(expression)
      case 'VariableName':
      case 'PropertyDefinition':
        return this.#name(expression)
      case 'MemberExpression':
        return this.#member(expression)
      case 'CallExpression':
      case 'NewExpression':
        return this.#call(expression)
      default:
        return undefined
    }
  }

  #template(node: Node): Known | undefined {
    let text = ''
    let at = node.from + 1
    for (const hole of node.children.filter(child => child.name === 'Interpolation')) {
      const inner = partsOf(hole)[0]
      const known = inner === undefined ? undefined : this.of(inner)
      if (known === undefined || typeof known.value === 'object') return undefined
      text += unescapeText(node.source.slice(at, hole.from)) + String(known.value)
      at = hole.to
    }
    return short(text + unescapeText(node.source.slice(at, node.to - 1)))
  }

  #array(node: Node): Known | undefined {
    const items: Json[] = []
    for (const child of partsOf(node)) {
      const known = this.of(child)
      if (known === undefined) return undefined
      const isSpread = node.children[node.children.indexOf(child) - 1]?.name === 'Spread'
      if (!isSpread) items.push(known.value)
      else if (Array.isArray(known.value)) items.push(...known.value)
      else return undefined
      if (items.length > MOST_STEPS) return undefined
    }
    return { value: items }
  }

  #object(node: Node): Known | undefined {
    const entries: [string, Json][] = []
    for (const property of partsOf(node)) {
      const value = property.children.at(-1)
      if (value === undefined || childNamed(property, 'ParamList')) return undefined
      const known = this.of(value)
      if (known === undefined) return undefined
      if (!childNamed(property, 'Spread')) {
        const key = propertyKey(property)
        if (key === undefined) return undefined
        entries.push([key, known.value])
      } else if (isRecord(known.value)) entries.push(...Object.entries(known.value))
      else return undefined
      if (entries.length > MOST_STEPS) return undefined
    }
    return { value: Object.fromEntries(entries) }
  }

  #unary(node: Node): Known | undefined {
    const operand = partsOf(node)[0]
    const known = operand === undefined ? undefined : this.of(operand)
    if (known === undefined) return undefined
    const operator = textOf(node)[0]
    if (operator === '!') return { value: !known.value }
    if (typeof known.value !== 'number' || /^(?:\+\+|--)/.test(textOf(node))) return undefined
    return operator === '-' ? { value: -known.value } : operator === '+' ? known : undefined
  }

  #binary(node: Node): Known | undefined {
    const binary = binaryOf(node)
    if (binary === undefined) return undefined
    const left = this.of(binary.left)
    if (left === undefined) return undefined
    if (binary.operator === '||') return left.value ? left : this.of(binary.right)
    if (binary.operator === '&&') return left.value ? this.of(binary.right) : left
    if (binary.operator === '??') return left.value === null ? this.of(binary.right) : left
    const right = this.of(binary.right)
    return right === undefined ? undefined : combine(binary.operator, left.value, right.value)
  }

  #name(node: Node): Known | undefined {
    const binding = bindingOf(this.#script, node)
    if (binding === undefined) return undefined
    const given = this.#environment.get(binding)
    if (given !== undefined) return { value: given }
    if (binding.origin.kind === 'import')
      return importedConstant(this.#script, binding.origin.module, binding.origin.name)
    if (binding.writes.length > 0 || isChanged(binding) || binding.origin.kind !== 'value') return undefined
    const required = requiredModule(binding.origin.value)
    if (required !== undefined) {
      const [step] = binding.origin.path
      return importedConstant(this.#script, required, step !== undefined && 'at' in step ? String(step.at) : '*')
    }
    const known = this.of(binding.origin.value)
    return known === undefined ? undefined : walk(known, binding.origin.path)
  }

  #member(node: Node): Known | undefined {
    const member = memberOf(node)
    if (member === undefined) return undefined
    if (pathOf(node) === 'Number.MAX_SAFE_INTEGER') return { value: Number.MAX_SAFE_INTEGER }
    const object = this.of(member.object)
    if (object === undefined) return undefined
    const key = member.name ?? (member.index === undefined ? undefined : this.of(member.index)?.value)
    if (typeof key !== 'string' && typeof key !== 'number') return undefined
    if (key === 'length' && (typeof object.value === 'string' || Array.isArray(object.value)))
      return { value: object.value.length }
    return walk(object, [{ at: key }])
  }

  #call(node: Node): Known | undefined {
    const call = callOf(node)
    const path = pathOf(call?.callee)
    const [first] = call?.args ?? []
    if (path !== undefined && TRANSPARENT.has(path)) return first === undefined ? undefined : this.of(first)
    if (path === 'Object.keys' || path === 'Object.values') {
      const of = first === undefined ? undefined : this.of(first)
      if (!isRecord(of?.value)) return undefined
      return { value: path === 'Object.keys' ? Object.keys(of.value) : Object.values(of.value) }
    }
    return this.#method(node)
  }

  #method(node: Node): Known | undefined {
    const call = methodCallOf(node)
    const known = call === undefined ? undefined : this.of(call.object)
    if (call === undefined || known === undefined) return undefined
    const [first] = call.args
    const given = first === undefined ? undefined : this.of(first)?.value
    const { value } = known
    if (typeof value === 'string') {
      if (call.method === 'trim') return { value: value.trim() }
      if (call.method === 'toLowerCase') return { value: value.toLowerCase() }
      if (call.method === 'split' && typeof given === 'string') return { value: value.split(given) }
    }
    if (Array.isArray(value)) {
      if (call.method === 'join' && (given === undefined || typeof given === 'string')) return short(value.join(given))
      if (call.method === 'concat' && Array.isArray(given)) return { value: [...value, ...given] }
    }
    return undefined
  }
}

const TRANSPARENT = new Set(['Object.freeze', 'Array.from', 'Set', 'String.raw', 'structuredClone'])

function importedConstant(script: Script, module: string, name: string): Known | undefined {
  if (!/^\.\.?\//.test(module)) return undefined
  const sibling = script.sibling(module)
  return sibling === undefined ? undefined : exportedConstant(sibling, name)
}

function exportedConstant(script: Script, name: string): Known | undefined {
  for (const statement of script.root.children) {
    const text = textOf(statement)
    if (statement.name === 'ExportDeclaration' && name === 'default' && text.startsWith('export default')) {
      const value = partsOf(statement).at(-1)
      return value === undefined ? undefined : evaluate(script, value)
    }
    const whole = /^module\.exports\s*=/.test(text) ? evaluate(script, partsOf(statement.children[0])[1]) : undefined
    if (whole !== undefined) return name === '*' || name === 'default' ? whole : walk(whole, [{ at: name }])
  }
  for (const [node, binding] of script.bindings) {
    const isTop = node === binding.node && node.parent?.name === 'VariableDeclaration' && binding.name === name
    if (isTop && binding.origin.kind === 'value' && binding.writes.length === 0)
      return evaluate(script, binding.origin.value)
  }
  return undefined
}

/** A list or object that is filled after its declaration is not a constant. */
function isChanged(binding: Binding): boolean {
  return binding.reads.some(read => {
    const member = read.parent
    if (memberOf(member ?? undefined)?.object !== read) return false
    const method = methodCallOf(member?.parent ?? undefined)
    if (method?.object === read) return CHANGING.test(method.method)
    return member?.parent?.name === 'AssignmentExpression' && member.parent.children[0] === member
  })
}

const CHANGING = /^(?:push|unshift|pop|shift|splice|sort|reverse|fill|add|delete|clear|set)$/

export function propertyKey(property: Node): string | undefined {
  const [key] = property.children
  if (key?.name === 'PropertyDefinition') return textOf(key)
  if (key?.name === 'String') return stringValue(key)
  if (key?.name === 'Number') return textOf(key)
  const computed = key?.name === '[' ? property.children[1] : undefined
  return computed?.name === 'String' ? stringValue(computed) : undefined
}
