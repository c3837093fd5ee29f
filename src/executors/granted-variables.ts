import { RenderError } from '../templates/render.ts'
import type { Policy, Tool } from '../types.ts'

/** Reads variables of the host for tools: those that the tool's declaration asks for and the host grants, no others. */
export function createVariables(granted: readonly string[], hostEnv: NodeJS.ProcessEnv) {
  return (tool: Tool, name: string, policy: Policy): string => {
    if (!tool.env?.includes(name)) throw new RenderError(`env:${name} is not declared by ${tool.id}`, 'ENV_NOT_GRANTED')
    const isOwn = policy.env !== 'granted'
    if (!(isOwn ? policy.env : granted).includes(name)) {
      const remedy = isOwn
        ? `the policy ${policy.name} does not grant it; \`skillwright trust ${tool.skill} --env ${name}\` does`
        : `add ${name} to \`env\` of the configuration`
      throw new RenderError(`env:${name} is not granted: ${remedy}`, 'ENV_NOT_GRANTED')
    }
    const value = hostEnv[name]
    if (value === undefined) throw new RenderError(`env:${name} is not set`, 'ENV_NOT_GRANTED')
    return value
  }
}
