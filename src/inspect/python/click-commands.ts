// A tree of click commands as one command per leaf.
import type { CommandLine, ScriptParameter } from '../../types.ts'
import type { InspectedCommand } from '../inspection.ts'
import { firstParagraph } from '../paragraph.ts'
import type { ReadArgument } from './argparse-argument.ts'
import type { ReadCommands } from './argparse-commands.ts'
import type { CliCommand, CliDoubt } from './cli-model.ts'
import { readCliParameter } from './click-parameter.ts'
import type { Machine } from './machine.ts'
import { uniqueNames } from './parameter-names.ts'

export type Level = {
  readonly word: string
  readonly description?: string
  readonly parameters: readonly ReadArgument[]
  readonly doubtful: boolean
  readonly at: number
}

const DEEPEST = 5

export function clickCommands(root: CliCommand, machine: Machine, lineAt: (offset: number) => number): ReadCommands {
  const doubts: CliDoubt[] = []
  const commands: InspectedCommand[] = []
  const visit = (command: CliCommand, word: string, above: readonly Level[]) => {
    const own: CliDoubt[] = [...command.doubts]
    const parameters = command.parameters.flatMap(parameter => readCliParameter(parameter, machine, own) ?? [])
    own.push(...misplaced(parameters))
    const { children } = command
    if (children?.length === 0) own.push({ message: 'The group has no command that could be read.', at: command.at })
    doubts.push(...own)
    const { description, at } = command
    const level = { word, ...(description ? { description } : {}), parameters, doubtful: own.length > 0, at }
    const levels = [...above, level]
    if (!children || command.runsAlone || children.length === 0) commands.push(toCommand(levels, 'terminator', lineAt))
    if (levels.length > DEEPEST) return
    for (const child of children ?? []) visit(child.command, child.name, levels)
  }
  visit(root, '', [])
  return { commands, notes: doubts.map(({ message, at }) => ({ message, line: lineAt(at) })) }
}

/** The command that the last level stands for. */
export function toCommand(
  levels: readonly Level[],
  dashes: CommandLine['dashes'],
  lineAt: (offset: number) => number,
): InspectedCommand {
  const leaf = levels.at(-1)
  const declared = levels.flatMap((level, depth) => level.parameters.map(parameter => ({ parameter, depth })))
  const names = uniqueNames(declared.map(({ parameter }) => parameter))
  const parameters = declared.map(
    ({ parameter, depth }, index): ScriptParameter => ({
      name: names[index] ?? parameter.dest,
      schema: parameter.schema,
      required: parameter.required,
      level: depth,
      line: lineAt(parameter.at),
      pass: parameter.pass,
    }),
  )
  const description = firstParagraph(leaf?.description ?? '')
  return {
    convention: {
      type: 'command-line',
      command: levels.slice(1).map(level => level.word),
      parameters,
      exclusive: [],
      dashes,
      open: levels.some(level => level.doubtful),
    },
    ...(description ? { description } : {}),
    line: lineAt(leaf?.at ?? 0),
  }
}

/** Values are taken from the left, so one that may be missing must not stand before one that may not. */
function misplaced(parameters: readonly ReadArgument[]): CliDoubt[] {
  const positional = parameters.filter(({ pass }) => pass.as === 'positional')
  const optional = positional.findIndex(({ required, schema }) => !required && schema['type'] !== 'array')
  const after = optional < 0 ? undefined : positional.slice(optional + 1).find(({ required }) => required)
  return after ? [{ message: `\`${after.dest}\` is required after a value that is not.`, at: after.at }] : []
}
