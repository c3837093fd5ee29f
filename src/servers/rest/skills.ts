import { z } from 'zod'
import type { Runtime } from '../../runtime.ts'
import { skillSchema, toolSchema, toWireSkill, toWireTool } from '../wire.ts'
import { type Route, route } from './route.ts'

export function skillRoutes(runtime: Runtime): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/skills',
      id: 'list_skills',
      summary: 'The skills that can be used.',
      answer: z.object({ skills: z.array(skillSchema) }),
      handle: async ({ caller }) => ({ skills: (await runtime.listSkills({ caller })).map(toWireSkill) }),
    }),
    route({
      method: 'get',
      path: '/v1/skills/{skill}/tools',
      id: 'list_skill_tools',
      summary: 'The tools that a skill brings besides its instructions.',
      answer: z.object({ tools: z.array(toolSchema) }),
      handle: async ({ params, caller }) => {
        const tools = await runtime.getSkillTools(params['skill']!, { caller })
        return { tools: tools.map(toWireTool) }
      },
    }),
    route({
      method: 'post',
      path: '/v1/skills/{skill}/invoke',
      id: 'invoke_skill',
      summary: 'The instructions of a skill, filled in.',
      body: z.strictObject({ arguments: z.string().optional().describe('fills $ARGUMENTS and $1…$9') }),
      answer: z.object({ skill: z.string(), content: z.string() }),
      handle: async ({ params, body, caller }) => {
        const skill = params['skill']!
        return { skill, content: await runtime.invokeSkill(skill, body.arguments, { caller }) }
      },
    }),
  ]
}
