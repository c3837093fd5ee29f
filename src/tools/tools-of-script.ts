// One script → its tools: one, or one for each of its sub-commands. A tool per command reads better to a model than a
// `command` property with branches: each has its own description, is found by its own words, and its schema stays flat.
import type { CallableFunction, InspectedCommand } from '../inspect/inspection.ts'
import type { Reading, Skill, Tool } from '../types.ts'
import { FREE_FORM_SCHEMA } from './free-form.ts'
import { toInputSchema } from './input-schema.ts'
import type { Script } from './script-candidate.ts'

export type ToolsOfScriptOptions = {
  readonly skill: Skill
  /** The script's name; a sub-command is `name-command`. */
  readonly name: string
  readonly timeoutMs: number
  /** Commands that SKILL.md shows, for scripts that tell nothing themselves. */
  readonly shownCommands: () => readonly InspectedCommand[]
}

export function toolsOfScript(script: Script, options: ToolsOfScriptOptions): Tool[] {
  const { inspection } = script
  if (inspection.commands.length > 0)
    return inspection.commands.map(command => toTool(command, { confidence: inspection.confidence, from: 'source' }))
  if (inspection.callable) return [toTool(inspection.callable, { confidence: inspection.confidence, from: 'source' })]
  const shown = options.shownCommands()
  if (shown.length > 0) return shown.map(command => toTool(command, { confidence: 'partial', from: 'skill-body' }))
  return [toTool(undefined, { confidence: 'none', from: 'source' })]

  function toTool(command: Interface | undefined, found: Pick<Reading, 'confidence' | 'from'>): Tool {
    const { skill } = options
    const words = wordsOf(command)
    const name = [options.name, ...words].join('-').replace(/[^A-Za-z0-9_-]+/g, '-')
    return {
      id: `${skill.id}.${name}`,
      name,
      skill: skill.id,
      description: describe(command),
      inputSchema: command ? toInputSchema(command.convention) : FREE_FORM_SCHEMA,
      executor: {
        type: 'script',
        file: script.file,
        language: script.language,
        ...(script.shebang && { shebang: script.shebang }),
        // Skills in the wild are written to run where the user's files are.
        cwd: 'workspace',
        convention: command?.convention ?? { type: 'free-form' },
      },
      timeoutMs: options.timeoutMs,
      origin: 'script',
      reading: {
        ...found,
        line: command?.line ?? 1,
        notes: inspection.notes,
        interactive: inspection.interactive,
        requirements: inspection.requirements,
      },
    }
  }

  function describe(command: Interface | undefined): string {
    const words = wordsOf(command)
    if (command?.description) return command.description
    if (words.length === 0) return inspection.description ?? `Execute ${options.name}`
    return [inspection.description, `Command: ${words.join(' ')}.`].filter(Boolean).join(' ')
  }
}

type Interface = InspectedCommand | CallableFunction

function wordsOf(command: Interface | undefined): readonly string[] {
  return command?.convention.type === 'command-line' ? command.convention.command : []
}
