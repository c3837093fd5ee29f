// Sessions: opened by a caller, and known to this caller alone.
import { z } from 'zod'
import { OPEN_SESSION, openSession, ownSession } from '../sessions.ts'
import { discoveryRoutes } from './discovery.ts'
import { type Incoming, type RestParts, type Route, route } from './route.ts'
import { toolRoutes } from './tools.ts'

const PATH = '/v1/sessions/{session_id}'

const sessionSchema = z.object({ session_id: z.string(), active_skills: z.array(z.string()) })

export function sessionRoutes({ runtime, workspaces }: RestParts): Route[] {
  const find = ({ params, caller }: Pick<Incoming<unknown, unknown>, 'params' | 'caller'>) =>
    ownSession(runtime, params['session_id']!, caller)
  return [
    route({
      method: 'post',
      path: '/v1/sessions',
      id: 'open_session',
      summary: 'Open a session: one agent with its active skills.',
      body: OPEN_SESSION,
      answer: sessionSchema,
      status: 201,
      handle: async ({ body, caller }) => {
        const { id } = await openSession(runtime, caller, { ...body, workspaces })
        return { session_id: id, active_skills: [] }
      },
    }),
    route({
      method: 'get',
      path: PATH,
      id: 'get_session',
      summary: 'A session and its active skills.',
      answer: sessionSchema,
      handle: async asked => {
        const session = await find(asked)
        return { session_id: session.id, active_skills: await session.listActiveSkills() }
      },
    }),
    route({
      method: 'delete',
      path: PATH,
      id: 'close_session',
      summary: 'End the running calls of a session, and the session.',
      status: 204,
      handle: async asked => {
        await (await find(asked)).close()
        return undefined
      },
    }),
    route({
      method: 'get',
      path: `${PATH}/skills`,
      id: 'list_active_skills',
      summary: 'The active skills, in order of activation.',
      answer: z.object({ skills: z.array(z.string()) }),
      handle: async asked => ({ skills: await (await find(asked)).listActiveSkills() }),
    }),
    route({
      method: 'post',
      path: `${PATH}/skills`,
      id: 'use_skill',
      summary: 'Activate a skill, or one that is handed over as text.',
      body: z.strictObject({
        skill_name: z.string(),
        skill_content: z.string().optional().describe('a whole SKILL.md, for a skill that the server does not have'),
      }),
      answer: z.object({ tool_names: z.array(z.string()) }),
      handle: async asked => {
        const { skill_name, skill_content } = asked.body
        const session = await find(asked)
        return {
          tool_names: await session.useSkill(skill_name, {
            ...(skill_content !== undefined && { content: skill_content }),
          }),
        }
      },
    }),
    route({
      method: 'delete',
      path: `${PATH}/skills/{skill}`,
      id: 'remove_skill',
      summary: 'Deactivate a skill.',
      answer: z.object({ removed_tools: z.array(z.string()) }),
      handle: async asked => ({ removed_tools: await (await find(asked)).removeSkill(asked.params['skill']!) }),
    }),
    ...toolRoutes(PATH, '_in_session', find),
    ...discoveryRoutes(PATH, '_in_session', async asked => (await find(asked)).discovery),
  ]
}
