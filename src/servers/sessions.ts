// Sessions as servers hand them out: each belongs to the caller who opened it.

import { randomUUID } from 'node:crypto'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SkillInvocationError, toolError } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import type { Session, SessionOptions } from '../sessions/session.ts'
import type { Caller } from '../types.ts'

/** What a client may say about a new session. Its workspace is not among it: folders are the server's. */
export const OPEN_SESSION = z.strictObject({
  ttl_sec: z.int().min(1).max(86_400).optional().describe('how long it lives without being used; default one hour'),
  expand_before_call: z.boolean().optional().describe('whether call_tool wants expand_tool first; default true'),
})

type Opening = { readonly workspaces: string | undefined }

export function openSession(
  runtime: Runtime,
  caller: Caller,
  { ttl_sec, expand_before_call, workspaces }: z.infer<typeof OPEN_SESSION> & Opening,
): Promise<Session> {
  return openIn(runtime, workspaces, {
    caller,
    ...(ttl_sec !== undefined && { ttlMs: ttl_sec * 1000 }),
    ...(expand_before_call !== undefined && { expandBeforeCall: expand_before_call }),
  })
}

/** A session with a folder of its own among `workspaces`; without them in the workspace of the runtime. */
export async function openIn(
  { sessions }: Runtime,
  workspaces: string | undefined,
  options: Omit<SessionOptions, 'id' | 'workspace'>,
): Promise<Session> {
  if (workspaces === undefined) return sessions.open(options)
  const id = randomUUID()
  const workspace = makeWorkspace(workspaces, id)
  try {
    return await sessions.open({ ...options, id, workspace })
  } catch (error) {
    // Nobody will ever work in it.
    rmdirSync(workspace)
    throw error
  }
}

/** The caller's session with this id. Throws `SESSION_NOT_FOUND`, also for the sessions of others. */
export async function ownSession({ sessions }: Runtime, id: string, caller: Caller): Promise<Session> {
  const session = await sessions.get(id, { caller })
  if (session) return session
  throw new SkillInvocationError(
    toolError('SESSION_NOT_FOUND', `You have no session ${JSON.stringify(id.slice(0, 100))}.`, {
      nextAction: 'Open a session, and use the id that it gives.',
    }),
  )
}

function makeWorkspace(folder: string, id: string): string {
  const path = join(folder, id)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}
