// commander, and cac, which declares its commands in nearly the same words.

import { parameterPatterns } from './bindings.ts'
import { type BuilderRules, readBuilders } from './builder-objects.ts'
import { finishCommands } from './command-tree.ts'
import { type Command, commandOf, type Reading, readCall } from './commander-calls.ts'
import { argumentParameter, optionParameters } from './commander-parts.ts'
import { evaluateText } from './evaluate.ts'
import { callOf, memberOf } from './expressions.ts'
import { importedAs } from './imports.ts'
import { gapAt, type ReadInterface } from './interface.ts'
import { type ListUse, listUses } from './list-uses.ts'
import { readPositionals } from './positionals.ts'
import { type PropertyReads, parameterReads, propertyReads } from './result-object.ts'
import { bindingOf, type Script } from './script.ts'
import type { Node } from './syntax-tree.ts'

export function readCommander(script: Script): ReadInterface | undefined {
  for (const module of ['commander', 'cac']) {
    const rules = rulesOf(script, module)
    const builders = readBuilders(script, rules)
    if (builders.calls.length === 0) continue
    return finish(readCalls({ script, isCac: module === 'cac', builders, commands: new Map(), gaps: [] }))
  }
  return undefined
}

function rulesOf(script: Script, library: string): BuilderRules {
  return {
    created(expression) {
      const call = callOf(expression)
      const imported = importedAs(script, call?.callee ?? expression)
      if (imported === undefined || imported.module.replace(/^@commander-js\/extra-typings$/, 'commander') !== library)
        return undefined
      if (call !== undefined)
        return /^(?:Command|createCommand|cac|default|\*)$/.test(imported.name) ? expression : undefined
      const isProgram = library === 'commander' && /^(?:program|default|\*)$/.test(imported.name)
      const isMember = memberOf(expression.parent ?? undefined)?.name === 'Command'
      return isProgram && !isMember ? (bindingOf(script, expression)?.node ?? expression) : undefined
    },
    // With a description as its second argument, commander's method declares a program of its own and answers with the parent.
    answersNew: ({ method, args }) =>
      method === 'command' && (library === 'cac' || evaluateText(script, args[1]) === undefined),
    ends: new Set(['opts', 'optsWithGlobals', 'getOptionValue', 'helpInformation', 'createOption', 'createArgument']),
  }
}

function readCalls(reading: Reading): Reading {
  for (const call of reading.builders.calls) {
    for (const on of call.on) readCall(reading, commandOf(reading, on), call)
  }
  for (const at of reading.builders.escapes)
    reading.gaps.push(gapAt(at, 'the parser is handed to code that could not be read'))
  return reading
}

function finish(reading: Reading): ReadInterface | undefined {
  const { root, commands, gaps } = reading
  if (root === undefined) return undefined
  // The name of the program is no word on its command line.
  if (root.draft.parent === undefined) root.draft.word = ''
  for (const [node, command] of commands) {
    finishParameters(reading, node, command)
    if (command !== root && command.draft.parent === undefined) gaps.push(gapAt(node, 'more than one parser is built'))
  }
  // cac keeps what follows `--` apart from the arguments.
  return finishCommands(root.draft, { dashes: reading.isCac ? 'refuse' : 'terminator', gaps })
}

function finishParameters({ script, commands, gaps }: Reading, node: Node, command: Command): void {
  const { draft, action } = command
  const results: PropertyReads[] = [propertyReads(script, command.results)]
  if (action !== undefined) results.push(parameterReads(script, action, command.arguments.length))
  const reads = results.flatMap(result => result.reads)
  const { parameters, exclusive } = optionParameters(script, command.options, reads, draft)
  draft.options.push(...parameters)
  draft.exclusive.push(...exclusive)
  const uses = commands.size > 1 ? [] : argsReads(script, node).flatMap(start => listUses(script, start))
  draft.positionals.push(
    ...command.arguments.map((argument, index) =>
      argumentParameter(script, argument, [...argumentReads(script, action, index), ...itemReads(uses, index)], draft),
    ),
  )
  // Without declared arguments a script may still look at `program.args`.
  if (command.arguments.length > 0) return
  const positionals = readPositionals(script, uses)
  draft.positionals.push(...positionals.parameters)
  gaps.push(...positionals.unread.map(at => gapAt(at, 'arguments are used in a way that could not be read')))
}

function argumentReads(script: Script, action: Node | undefined, index: number): readonly Node[] {
  const pattern = action === undefined ? undefined : parameterPatterns(action)[index]
  return bindingOf(script, pattern)?.reads ?? []
}

function itemReads(uses: readonly ListUse[], index: number): readonly Node[] {
  return uses.flatMap(use => (use.kind === 'item' && use.index === index ? use.nodes : []))
}

function argsReads(script: Script, node: Node): readonly Node[] {
  const binding = bindingOf(script, node)
  const starts = binding === undefined ? [node] : binding.reads
  return propertyReads(script, starts)
    .reads.filter(read => read.key === 'args')
    .flatMap(read => read.nodes)
}
