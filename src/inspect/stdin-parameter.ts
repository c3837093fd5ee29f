import type { InspectedCommand } from './inspection.ts'

/** The command of a script that also reads stdin, which is one more parameter. `line` is where it reads. */
export function withStdin(command: InspectedCommand, line: number): InspectedCommand {
  const { convention } = command
  const { parameters } = convention
  if (parameters.some(({ pass }) => pass.as === 'stdin')) return command
  const name = parameters.some(parameter => parameter.name === 'data') ? 'stdin' : 'data'
  const stdin = {
    name,
    schema: { description: 'What the script reads from stdin: a text, or any other JSON value.' },
    required: false,
    level: convention.command.length,
    line,
    pass: { as: 'stdin' },
  } as const
  return { ...command, convention: { ...convention, parameters: [...parameters, stdin] } }
}
