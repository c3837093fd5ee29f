// Files of the skill that a script imports, and that look at the command line in its place.
import type { InspectionNote } from '../inspection.ts'
import { argvSources } from './argv-view.ts'
import { isMainCheck } from './control-flow.ts'
import { requiredModule } from './imports.ts'
import { gapAt } from './interface.ts'
import type { Script } from './script.ts'
import { importedModules } from './surroundings.ts'
import { isFunction, type Node, unwrap } from './syntax-tree.ts'
import { callsOf, functionName } from './value-flow.ts'

const LIBRARIES =
  'arg argparse brocli cac caporal citty cleye clipanion cmd-ts command-line-args commander docopt getopts gluegun meow ' +
  'minimist mri nopt optionator sade vorpal yargs yargs-parser zx @caporal/core @commander-js/extra-typings @oclif/core'

/** Argument libraries: a script that uses one in a way that is not read stays open to any arguments. */
export const LIBRARY = new RegExp(`^(?:${LIBRARIES.replaceAll(' ', '|')})$`)

/** Whether it is worth parsing a file. */
const LOOKS = new RegExp(`\\bargv\\b|Deno\\.args|['"](?:${LIBRARIES.replaceAll(' ', '|')})['"]`)

export function hiddenReaders(script: Script): readonly InspectionNote[] {
  return importedModules(script).flatMap(({ module, node }) => {
    if (!/^\.\.?\//.test(module) || module.endsWith('.json')) return []
    const text = script.siblingText(module)
    if (text !== undefined && !LOOKS.test(text)) return []
    const sibling = text === undefined ? undefined : script.sibling(module)
    if (sibling === undefined) return [gapAt(node, `${module} could not be read`)]
    const names = importedNames(script, module)
    const readsArguments =
      argvSources(sibling).some(source => isReached(sibling, source.node, names)) ||
      importedModules(sibling).some(other => LIBRARY.test(other.module))
    return readsArguments ? [gapAt(node, `${module} looks at the command line too`)] : []
  })
}

/** What a script takes from a module; `*` and `default` stand for all of it. */
function importedNames(script: Script, module: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { origin } of new Set(script.bindings.values())) {
    if (origin.kind === 'import' && origin.module === module) names.add(origin.name)
    if (origin.kind !== 'value' || requiredModule(unwrap(origin.value)) !== module) continue
    const [step] = origin.path
    names.add(step !== undefined && 'at' in step ? String(step.at) : '*')
  }
  return names
}

/** Whether code of an imported file runs when it is loaded, or may be called by the importer. */
function isReached(sibling: Script, node: Node, names: ReadonlySet<string>, depth = 6): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.name === 'IfStatement' && isMainCheck(at)) return false
    const name = isFunction(at) ? functionName(sibling, at) : undefined
    if (name === undefined || depth === 0) continue
    if (names.has(name.name) || names.has('*') || names.has('default')) return true
    return callsOf(sibling, at).some(call => isReached(sibling, call, names, depth - 1))
  }
  return true
}
