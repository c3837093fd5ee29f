import { RenderError } from '../templates/render.ts'
import type { Tool } from '../types.ts'

/** Reads variables of the host for tools: those that the tool's declaration asks for and the host grants, no others. */
export function createVariables(granted: readonly string[], hostEnv: NodeJS.ProcessEnv) {
  return (tool: Tool, name: string): string => {
    if (!tool.env?.includes(name)) throw new RenderError(`env:${name} is not declared by ${tool.id}`, 'ENV_NOT_GRANTED')
    if (!granted.includes(name))
      throw new RenderError(
        `env:${name} is not granted: add ${name} to \`env\` of the configuration`,
        'ENV_NOT_GRANTED',
      )
    const value = hostEnv[name]
    if (value === undefined) throw new RenderError(`env:${name} is not set`, 'ENV_NOT_GRANTED')
    return value
  }
}
