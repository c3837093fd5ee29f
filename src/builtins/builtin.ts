import { type ErrorCode, fail } from '../errors.ts'
import type { Annotations, BuiltinSpec, Json, JsonSchema, Outcome } from '../types.ts'
import type { Workspace } from './workspace.ts'

export type BuiltinName = BuiltinSpec['name']

export const BUILTIN_NAMES: readonly BuiltinName[] = ['bash', 'read', 'write', 'edit', 'grep', 'glob', 'ls']

/** One tool of the program's own, for work on the files of a workspace. */
export type Builtin = {
  readonly name: BuiltinName
  /** For models: what it does, and what to know before calling it. */
  readonly description: string
  readonly inputSchema: JsonSchema
  /** Nothing calls itself destructive: what is not said counts as such to clients, and whoever switched it on need not be asked for each call. */
  readonly annotations: Annotations
  readonly timeoutMs: number
  /** Does the work. The arguments fit the schema. Throws `BuiltinError` on what the caller should be told. */
  readonly run: (args: { readonly [name: string]: Json }, call: BuiltinCall) => Promise<Json | Outcome>
}

export type BuiltinCall = {
  readonly workspace: Workspace
  readonly signal: AbortSignal
  /** When the time of the call is over, as `performance.now()` counts. */
  readonly deadline: number
  /** Runs a command line of the shell in the workspace. */
  readonly shell: (command: string, timeoutMs: number) => Promise<Outcome>
}

/** Something the caller should be told. */
export class BuiltinError extends Error {
  override readonly name = 'BuiltinError'
  readonly code: ErrorCode
  readonly hints: readonly string[]

  constructor(code: ErrorCode, message: string, hints: readonly string[] = []) {
    super(message)
    this.code = code
    this.hints = hints
  }
}

export function toFailure({ code, message, hints }: BuiltinError): Extract<Outcome, { ok: false }> {
  return fail(code, message, { hints, nextAction: NEXT_ACTIONS[code] ?? 'Mend the arguments, then call again.' })
}

const NEXT_ACTIONS: { readonly [Code in ErrorCode]?: string } = {
  PATH_OUTSIDE_WORKSPACE: 'Use a path in the workspace.',
  PATH_PROTECTED: 'Leave it as it is, or ask the user to change it.',
  FILE_NOT_FOUND: 'Look with ls or glob, then call again.',
  NOT_A_FILE: 'Look with ls, then call again.',
  FILE_FAILED: 'Use another file, or tell the user.',
  EDIT_FAILED: 'Read the file again, then call edit with text that stands there exactly once.',
}
