// Activating skills, for clients whose protocol has sessions: the tools of active skills join `tools/list`.
import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { jsonSchemaOf } from '../json-schema/json-schema-of.ts'
import type { Session } from '../sessions/session.ts'
import { toDataResult, toFailure } from './mcp-results.ts'

const skill_name = z.string().describe('name of the skill')

const ACTIVATION = {
  use_skill: {
    description: 'Activate a skill: its tools join your list of tools.',
    request: z.strictObject({
      skill_name,
      skill_content: z.string().nullish().describe('a whole SKILL.md, for a skill that is not installed'),
    }),
  },
  remove_skill: {
    description: 'Deactivate a skill: its tools leave your list of tools.',
    request: z.strictObject({ skill_name }),
  },
  list_active_skills: { description: 'List the skills that are active.', request: z.strictObject({}) },
} as const

type ActivationName = keyof typeof ACTIVATION

export const ACTIVATION_NAMES = Object.keys(ACTIVATION) as ActivationName[]

export function isActivation(name: string): name is ActivationName {
  return Object.hasOwn(ACTIVATION, name)
}

let described: readonly McpTool[] | undefined

export function activationTools(): readonly McpTool[] {
  described ??= ACTIVATION_NAMES.map(name => {
    const { description, request } = ACTIVATION[name]
    return { name, description, inputSchema: jsonSchemaOf(request) as McpTool['inputSchema'] }
  })
  return described
}

export async function callActivation(
  name: ActivationName,
  args: unknown,
  session: Session,
  toName: (id: string) => string,
): Promise<CallToolResult> {
  const read = ACTIVATION[name].request.safeParse(args ?? {})
  if (!read.success) return wrongArguments(read.error)
  const { skill_name, skill_content } = { skill_name: '', skill_content: undefined, ...read.data }
  try {
    switch (name) {
      case 'use_skill': {
        const ids = await session.useSkill(skill_name, skill_content ? { content: skill_content } : {})
        return toDataResult({ tool_names: ids.map(toName) })
      }
      case 'remove_skill':
        return toDataResult({ removed_tools: (await session.removeSkill(skill_name)).map(toName) })
      case 'list_active_skills':
        return toDataResult({ skills: [...(await session.listActiveSkills())] })
    }
  } catch (error) {
    return toFailure(error)
  }
}

function wrongArguments({ issues }: z.ZodError): CallToolResult {
  const problems = issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
  const text = `INVALID_ARGS: ${problems.slice(0, 5).join('; ')}\nMend the arguments, then call again.`
  return { content: [{ type: 'text', text }], isError: true }
}
