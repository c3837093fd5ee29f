// What a script needs besides its arguments: modules, a terminal, standard input.
import { builtinModules } from 'node:module'
import type { InspectionNote, Requirement } from '../inspection.ts'
import { callOf, memberOf, pathOf, stringValue } from './expressions.ts'
import { importedAs } from './imports.ts'
import { once, type Script } from './script.ts'
import { childNamed, descendants, lineOf, type Node, textOf } from './syntax-tree.ts'

const BUILT_IN = new Set(builtinModules)
const PROMPTS = new Set([
  'inquirer',
  '@inquirer/prompts',
  'prompts',
  'enquirer',
  '@clack/prompts',
  'readline-sync',
  'prompt-sync',
])

/** Third-party packages that the file imports, each once, by the name to install. */
export function readRequirements(script: Script): readonly Requirement[] {
  const found = new Map<string, Requirement>()
  for (const { module, node } of importedModules(script)) {
    const name = packageName(module)
    if (name !== undefined && !found.has(name)) found.set(name, { kind: 'module', name, line: lineOf(node) })
  }
  return [...found.values()]
}

/** Every module the file names, in the order of the source. */
export function importedModules(script: Script): readonly ImportedModule[] {
  return once(script, 'modules', () => findModules(script))
}

type ImportedModule = { readonly module: string; readonly node: Node }

function findModules(script: Script): readonly ImportedModule[] {
  const found: ImportedModule[] = []
  for (const node of descendants(script.root)) {
    const module = moduleOf(node)
    if (module !== undefined) found.push({ module, node })
  }
  return found
}

function moduleOf(node: Node): string | undefined {
  if (node.name === 'ImportDeclaration' || node.name === 'ExportDeclaration') {
    // Types are gone before the script runs.
    const module = /^(?:import|export)\s+type\b/.test(textOf(node)) ? undefined : childNamed(node, 'String')
    return module === undefined ? undefined : stringValue(module)
  }
  if (node.name === 'DynamicImport') {
    const module = childNamed(node, 'String')
    return module === undefined ? undefined : stringValue(module)
  }
  const call = node.name === 'CallExpression' ? callOf(node) : undefined
  const [first] = call?.args ?? []
  return pathOf(call?.callee) === 'require' && first?.name === 'String' ? stringValue(first) : undefined
}

function packageName(module: string): string | undefined {
  if (/^(?:[./]|node:|bun:|https?:|file:|#|@\/|~)/.test(module)) return undefined
  const bare = module.replace(/^(?:npm|jsr):/, '')
  const name = /^(?:@[^/@]+\/)?[^/@]+/.exec(bare)?.[0]
  return name === undefined || BUILT_IN.has(name) || name === 'bun' ? undefined : name
}

/** Whether the script asks questions on a terminal. */
export function asksQuestions(script: Script): boolean {
  if (importedModules(script).some(({ module }) => PROMPTS.has(module))) return true
  const hasReadline = importedModules(script).some(({ module }) => /^(?:node:)?readline(?:\/promises)?$/.test(module))
  return hasReadline && script.calls.some(call => memberOf(callOf(call)?.callee)?.name === 'question')
}

/** Where the script reads standard input, if it does. */
export function readsStdin(script: Script): InspectionNote | undefined {
  for (const node of descendants(script.root)) {
    if (isStdin(script, node)) return { message: 'reads standard input', line: lineOf(node) }
  }
  return undefined
}

function isStdin(script: Script, node: Node): boolean {
  if (node.name === 'MemberExpression') {
    const path = pathOf(node)
    if (path !== 'process.stdin' && path !== 'Bun.stdin' && path !== 'Deno.stdin') return false
    return memberOf(node.parent ?? undefined)?.name !== 'isTTY'
  }
  if (node.name !== 'CallExpression') return false
  const call = callOf(node)
  const [first] = call?.args ?? []
  const isFile = /(?:^|\.)(?:readFileSync|readFile|createReadStream)$/.test(pathOf(call?.callee) ?? '')
  if (isFile && first !== undefined && /^(?:0|['"]\/dev\/stdin['"])$/.test(textOf(first))) return true
  return importedAs(script, call?.callee)?.module === 'get-stdin'
}
