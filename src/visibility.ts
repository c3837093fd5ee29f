import type { Caller, Tool } from './types.ts'

/** Whether a caller may see and call a tool. Tools that are bound to roles are for callers who have one of them. */
export function isVisible({ roles }: Pick<Tool, 'roles'>, caller: Caller | undefined): boolean {
  return !roles || roles.some(role => caller?.roles.includes(role))
}

/** Whether a tool belongs to the program and not to a skill or server. */
export function isStatic({ origin }: Pick<Tool, 'origin'>): boolean {
  return origin === 'host'
}
