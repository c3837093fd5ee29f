import { SkillInvocationError, toolError } from '../errors.ts'

/** The thrown form of what a session refuses. */
export function sessionError(...error: Parameters<typeof toolError>): SkillInvocationError {
  return new SkillInvocationError(toolError(...error))
}

export function sessionClosed(): SkillInvocationError {
  const nextAction = 'Open a new session.'
  return sessionError('SESSION_CLOSED', 'The session is closed or has expired.', { nextAction })
}
