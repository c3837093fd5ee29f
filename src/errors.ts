// Every way a call can fail: one closed list of codes, and the errors thrown for those who prefer exceptions.
import type { ToolError, ToolResult } from './types.ts'

/** Code → what it means. Listed in docs/errors.md. */
export const ERROR_CODES = {
  TOOL_NOT_FOUND: 'No tool has this id.',
  SKILL_NOT_FOUND: 'No skill has this name.',
  SKILL_UNREADABLE: 'The SKILL.md could not be read.',
  SKILL_NOT_ACTIVE: 'The skill is not active in this session.',
  SKILL_EXISTS: 'A skill that was handed over has a name that a skill or a static tool has already.',
  SKILL_REFUSED:
    'A skill that was handed over cannot be taken: it is too large or unreadable, or this is switched off.',
  SESSION_EXISTS: 'A session with this id is open already.',
  SESSION_CLOSED: 'The session was closed or has expired.',
  TOO_MANY_SESSIONS: 'No more sessions can be open at the same time.',
  NOT_AUTHORIZED:
    'In the audit only: the caller has none of the roles that the tool is bound to, and was told TOOL_NOT_FOUND.',
  UNKNOWN_PATH: 'The catalogue has no category with this path.',
  NO_MATCH_IN_CATEGORY: 'No tool of the category fits the query.',
  INVALID_CURSOR: 'The cursor belongs to another request, or the tools have changed since.',
  NOT_EXPANDED: 'The tool was called before its schema was asked for.',
  STALE_SCHEMA: 'The tool has changed since it was expanded; the new schema is in the error.',
  INVALID_ARGS: 'The arguments do not fit the schema of the tool or operation.',
  ARGS_TOO_LARGE: 'The arguments do not fit a command line.',
  TOOL_RESTRICTED: 'The skill has `allowed-tools` without `Bash`, so its scripts may not run.',
  PATH_TRAVERSAL: 'The script path climbs out of the skill with `..`.',
  PATH_OUTSIDE_SKILL: 'The script path is absolute and outside the skill.',
  LINK_OUTSIDE_SKILL: 'The script is a link that leads out of the skill.',
  SETUID_SCRIPT: 'The script or program has the setuid or setgid bit.',
  PATH_OUTSIDE_WORKSPACE: 'The path is outside the workspace, or a link leads out of it.',
  PATH_PROTECTED: 'The file steers Skillwright or other programs, so that tools may not change it.',
  FILE_NOT_FOUND: 'No file or folder of the workspace has this path.',
  NOT_A_FILE: 'The path is a folder where a file is wanted, a file where a folder is, or neither.',
  FILE_FAILED: 'The file cannot be read or written.',
  EDIT_FAILED: 'The text to replace is not in the file, stands there several times, or the file has just changed.',
  SCRIPT_MISSING: 'The script is gone, or is not a regular file.',
  INTERPRETER_MISSING: 'The program that runs this kind of script is not installed.',
  REQUIREMENT_MISSING: 'The script needs a module or program that is not installed.',
  SPAWN_FAILED: 'The operating system refused to start the process.',
  SCRIPT_FAILED: 'The script ended with a non-zero exit code, or reported `{"ok": false}`.',
  SCRIPT_TIMEOUT: 'The script ran into its time limit and was ended; exit code 124.',
  DOWNLOAD_FAILED: 'A program could not be downloaded, or is not what its checksum says.',
  ENV_NOT_GRANTED: 'The tool asks for an environment variable that is not granted or not set.',
  ADDRESS_REFUSED: 'The address is private, local or otherwise not allowed.',
  HTTP_FAILED: 'The server answered with an error, or could not be reached.',
  HTTP_TIMEOUT: 'The server did not answer in time.',
  RESPONSE_TOO_LARGE: 'The answer is larger than the limit.',
  MCP_FAILED: 'The MCP server could not be reached, or its tool failed.',
  STEP_FAILED: 'A step of a pipeline failed.',
  HOST_FAILED: 'A function of the embedding program failed.',
  TOOL_DEGRADED: 'The tool failed again and again and is given a rest.',
  CANCELLED: 'The caller cancelled the call.',
  RUNTIME_CLOSED: 'The runtime was closed before or during the call.',
  INTERNAL: 'A fault in Skillwright itself.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

type FailOptions = { readonly hints?: readonly string[]; readonly nextAction: string }

/** Makes the error part of a failed result. */
export function toolError(code: ErrorCode, message: string, options: FailOptions): ToolError {
  return { code, message, hints: options.hints ?? [], nextAction: options.nextAction }
}

/** Makes a failed outcome. */
export function fail(code: ErrorCode, message: string, options: FailOptions): { ok: false; error: ToolError } {
  return { ok: false, error: toolError(code, message, options) }
}

type ErrorFields = { readonly exitCode?: number | undefined; readonly stderr?: string | undefined }

/** A skill or one of its tools could not be used. Base of the other thrown errors. */
export class SkillInvocationError extends Error {
  override readonly name: string = 'SkillInvocationError'
  readonly code: ErrorCode
  readonly hints: readonly string[]
  readonly nextAction: string
  readonly exitCode: number | undefined
  readonly stderr: string | undefined

  constructor(error: ToolError, fields: ErrorFields = {}) {
    super(error.message)
    this.code = error.code
    this.hints = error.hints
    this.nextAction = error.nextAction
    this.exitCode = fields.exitCode
    this.stderr = fields.stderr
  }
}

/** The script ran and failed. */
export class ScriptExecutionError extends SkillInvocationError {
  override readonly name: string = 'ScriptExecutionError'
}

/** The script was ended at its time limit; `exitCode` is 124. */
export class ScriptTimeoutError extends ScriptExecutionError {
  override readonly name: string = 'ScriptTimeoutError'
}

/** The skill's `allowed-tools` forbids running scripts. */
export class ToolRestrictionError extends SkillInvocationError {
  override readonly name: string = 'ToolRestrictionError'
}

/** The thrown form of a failed result. */
export function toThrown(result: Extract<ToolResult, { ok: false }>): SkillInvocationError {
  const fields = { exitCode: result.meta.exitCode, stderr: result.meta.stderr }
  switch (result.error.code) {
    case 'SCRIPT_FAILED':
    case 'REQUIREMENT_MISSING':
      return new ScriptExecutionError(result.error, fields)
    case 'SCRIPT_TIMEOUT':
      return new ScriptTimeoutError(result.error, fields)
    case 'TOOL_RESTRICTED':
      return new ToolRestrictionError(result.error, fields)
    default:
      return new SkillInvocationError(result.error, fields)
  }
}
