// Every way a call can fail: one closed list of codes, their statuses on every wire, and the errors thrown for those who prefer exceptions.
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
  TOOL_RESTRICTED: 'The `allowed-tools` of the skill do not allow to run this script.',
  POLICY_DENIED: 'The policy of the tool does not allow what the call wants to do.',
  POLICY_UNENFORCEABLE: 'This machine cannot enforce the policy of the tool, and the policy refuses to run without.',
  TRUST_REQUIRED: 'The skill is not, or not any more, what was approved, and its policy wants that.',
  APPROVAL_REQUIRED: 'The call needs approval, and there is nobody to ask.',
  NOT_APPROVED: 'Somebody was asked and did not approve the call.',
  PATH_TRAVERSAL: 'The script path climbs out of the skill with `..`.',
  PATH_OUTSIDE_SKILL: 'The script path is absolute and outside the skill.',
  LINK_OUTSIDE_SKILL: 'The script is a link that leads out of the skill.',
  SETUID_SCRIPT: 'The script or program has the setuid or setgid bit.',
  PATH_OUTSIDE_WORKSPACE: 'The path is outside the workspace, or a link leads out of it.',
  PATH_PROTECTED:
    'The file belongs to Skillwright or steers other programs, so that tools may not change it, or not see it.',
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
  LIMIT_EXCEEDED: 'The script needed more memory, disk or processor time than its policy allows, and was ended.',
  OVERLOADED: 'So many programs run and wait that there was no place for this one; nothing was started.',
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
  SESSION_NOT_FOUND: 'The caller has no session with this id: it never was, has expired, or belongs to somebody else.',
  TOKEN_REQUIRED: 'The server wants a bearer token, and this is none that it knows.',
  ROLE_REQUIRED: 'The caller lacks the role that this operation of the server is bound to.',
  HOST_REFUSED: 'The request names a host that this server does not go by.',
  ORIGIN_REFUSED: 'The request comes from a web page that may not use this server.',
  ROUTE_NOT_FOUND: 'The server has nothing at this path, or not with this method.',
  MALFORMED_REQUEST: 'The request could not be read: broken JSON, or fields that the operation does not have.',
  REQUEST_TOO_LARGE: 'The request is larger than the server takes.',
  RATE_LIMITED: 'The caller sends requests faster than it may.',
  INTERNAL: 'A fault in Skillwright itself.',
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** How a failure is called by the protocols that servers speak. */
export type ErrorStatus = { readonly http: number; readonly grpc: GrpcStatus; readonly jsonRpc: number }

/** The status codes of gRPC, by name. */
export const GRPC_STATUS = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const

export type GrpcStatus = keyof typeof GRPC_STATUS

const WRONG: ErrorStatus = { http: 400, grpc: 'INVALID_ARGUMENT', jsonRpc: -32602 }
const UNKNOWN: ErrorStatus = { http: 404, grpc: 'NOT_FOUND', jsonRpc: -32602 }
const FORBIDDEN: ErrorStatus = { http: 403, grpc: 'PERMISSION_DENIED', jsonRpc: -32000 }
const NOT_NOW: ErrorStatus = { http: 409, grpc: 'FAILED_PRECONDITION', jsonRpc: -32000 }
const TOO_LARGE: ErrorStatus = { http: 413, grpc: 'RESOURCE_EXHAUSTED', jsonRpc: -32602 }
/** The tool is as it should be, and what it was asked for did not work. */
const FAILED: ErrorStatus = { http: 422, grpc: 'ABORTED', jsonRpc: -32000 }
/** The tool itself, or what it needs on this machine, is broken. */
const BROKEN: ErrorStatus = { http: 424, grpc: 'FAILED_PRECONDITION', jsonRpc: -32000 }
const UPSTREAM: ErrorStatus = { http: 502, grpc: 'UNAVAILABLE', jsonRpc: -32000 }
const BUSY: ErrorStatus = { http: 503, grpc: 'UNAVAILABLE', jsonRpc: -32000 }
const TOO_SLOW: ErrorStatus = { http: 504, grpc: 'DEADLINE_EXCEEDED', jsonRpc: -32000 }
const FAULT: ErrorStatus = { http: 500, grpc: 'INTERNAL', jsonRpc: -32603 }

/** Code → its status in each protocol. Listed in docs/errors.md. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, ErrorStatus>> = {
  TOOL_NOT_FOUND: UNKNOWN,
  SKILL_NOT_FOUND: UNKNOWN,
  SKILL_UNREADABLE: BROKEN,
  SKILL_NOT_ACTIVE: NOT_NOW,
  SKILL_EXISTS: NOT_NOW,
  SKILL_REFUSED: { http: 422, grpc: 'INVALID_ARGUMENT', jsonRpc: -32602 },
  SESSION_EXISTS: NOT_NOW,
  SESSION_CLOSED: UNKNOWN,
  TOO_MANY_SESSIONS: { http: 429, grpc: 'RESOURCE_EXHAUSTED', jsonRpc: -32000 },
  NOT_AUTHORIZED: FORBIDDEN,
  UNKNOWN_PATH: UNKNOWN,
  NO_MATCH_IN_CATEGORY: UNKNOWN,
  INVALID_CURSOR: WRONG,
  NOT_EXPANDED: NOT_NOW,
  STALE_SCHEMA: NOT_NOW,
  INVALID_ARGS: WRONG,
  ARGS_TOO_LARGE: TOO_LARGE,
  TOOL_RESTRICTED: FORBIDDEN,
  POLICY_DENIED: FORBIDDEN,
  POLICY_UNENFORCEABLE: BROKEN,
  TRUST_REQUIRED: FORBIDDEN,
  APPROVAL_REQUIRED: FORBIDDEN,
  NOT_APPROVED: FORBIDDEN,
  PATH_TRAVERSAL: BROKEN,
  PATH_OUTSIDE_SKILL: BROKEN,
  LINK_OUTSIDE_SKILL: BROKEN,
  SETUID_SCRIPT: BROKEN,
  PATH_OUTSIDE_WORKSPACE: FORBIDDEN,
  PATH_PROTECTED: FORBIDDEN,
  FILE_NOT_FOUND: FAILED,
  NOT_A_FILE: FAILED,
  FILE_FAILED: FAILED,
  EDIT_FAILED: FAILED,
  SCRIPT_MISSING: BROKEN,
  INTERPRETER_MISSING: BROKEN,
  REQUIREMENT_MISSING: BROKEN,
  SPAWN_FAILED: BROKEN,
  SCRIPT_FAILED: FAILED,
  SCRIPT_TIMEOUT: TOO_SLOW,
  LIMIT_EXCEEDED: FAILED,
  OVERLOADED: { http: 503, grpc: 'RESOURCE_EXHAUSTED', jsonRpc: -32000 },
  DOWNLOAD_FAILED: UPSTREAM,
  ENV_NOT_GRANTED: BROKEN,
  ADDRESS_REFUSED: FORBIDDEN,
  HTTP_FAILED: UPSTREAM,
  HTTP_TIMEOUT: TOO_SLOW,
  RESPONSE_TOO_LARGE: UPSTREAM,
  MCP_FAILED: UPSTREAM,
  STEP_FAILED: FAILED,
  HOST_FAILED: FAILED,
  TOOL_DEGRADED: BUSY,
  CANCELLED: { http: 499, grpc: 'CANCELLED', jsonRpc: -32800 },
  RUNTIME_CLOSED: BUSY,
  SESSION_NOT_FOUND: UNKNOWN,
  TOKEN_REQUIRED: { http: 401, grpc: 'UNAUTHENTICATED', jsonRpc: -32000 },
  ROLE_REQUIRED: FORBIDDEN,
  HOST_REFUSED: FORBIDDEN,
  ORIGIN_REFUSED: FORBIDDEN,
  ROUTE_NOT_FOUND: { http: 404, grpc: 'UNIMPLEMENTED', jsonRpc: -32601 },
  MALFORMED_REQUEST: { http: 400, grpc: 'INVALID_ARGUMENT', jsonRpc: -32700 },
  REQUEST_TOO_LARGE: TOO_LARGE,
  RATE_LIMITED: { http: 429, grpc: 'RESOURCE_EXHAUSTED', jsonRpc: -32000 },
  INTERNAL: FAULT,
}

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
    case 'LIMIT_EXCEEDED':
      return new ScriptExecutionError(result.error, fields)
    case 'SCRIPT_TIMEOUT':
      return new ScriptTimeoutError(result.error, fields)
    case 'TOOL_RESTRICTED':
      return new ToolRestrictionError(result.error, fields)
    default:
      return new SkillInvocationError(result.error, fields)
  }
}
