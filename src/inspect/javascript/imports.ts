import { callOf, memberOf, pathOf, stringValue } from './expressions.ts'
import { bindingOf, type Script } from './script.ts'
import { childNamed, type Node, unwrap } from './syntax-tree.ts'

/** Something that another module gave: `name` is `default`, `*` for the whole module, or the export's name. */
export type Imported = { readonly module: string; readonly name: string }

/** What an expression stands for, when it is imported or required; `node:` is left off. */
export function importedAs(script: Script, node: Node | undefined): Imported | undefined {
  if (node === undefined) return undefined
  const expression = unwrap(node)
  const module = requiredModule(expression)
  if (module !== undefined) return { module, name: '*' }

  const member = memberOf(expression)
  if (member?.name !== undefined) {
    const object = importedAs(script, member.object)
    if (object === undefined || (object.name !== '*' && object.name !== 'default')) return undefined
    return { module: object.module, name: member.name }
  }

  const binding = bindingOf(script, expression)
  if (binding === undefined || binding.writes.length > 0) return undefined
  if (binding.origin.kind === 'import') return { module: plain(binding.origin.module), name: binding.origin.name }
  if (binding.origin.kind !== 'value' || binding.origin.value === expression) return undefined
  const [step, ...more] = binding.origin.path
  const whole =
    unwrap(binding.origin.value).name === 'VariableName' ? undefined : importedAs(script, binding.origin.value)
  if (step === undefined || whole === undefined) return whole
  return more.length === 0 && 'at' in step && whole.name === '*'
    ? { module: whole.module, name: String(step.at) }
    : undefined
}

/** Whether an expression is one of a module's exports, however it was imported. */
export function isImported(
  script: Script,
  node: Node | undefined,
  modules: readonly string[],
  names: readonly string[],
): boolean {
  const imported = importedAs(script, node)
  return imported !== undefined && modules.includes(imported.module) && names.includes(imported.name)
}

/** The module that an expression loads. */
export function requiredModule(expression: Node): string | undefined {
  if (expression.name === 'DynamicImport') {
    const name = childNamed(expression, 'String')
    return name === undefined ? undefined : plain(stringValue(name))
  }
  const call = expression.name === 'CallExpression' ? callOf(expression) : undefined
  const [name] = call?.args ?? []
  if (call === undefined || pathOf(call.callee) !== 'require' || name?.name !== 'String') return undefined
  return plain(stringValue(name))
}

function plain(module: string): string {
  return module.replace(/^node:/, '')
}
