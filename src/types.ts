// The whole domain as plain readonly data. No logic lives here.
import type { DiagnosticCode } from './diagnostics.ts'
import type { ErrorCode } from './errors.ts'
import type { BuiltinSpec, ExecutorSpec, HostSpec, McpSpec } from './specs.ts'

export type * from './events.ts'
export type * from './specs.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON Schema (2020-12) for an object. */
export type JsonSchema = { readonly [key: string]: Json }

/** A mistake in a skill folder: loading goes on, the report says what to mend. */
export type Diagnostic = {
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: DiagnosticCode
  readonly message: string
  readonly file: string
  readonly line?: number
  /** How to mend it. */
  readonly hint: string
}

/** A folder that skills come from. Later sources win over earlier ones. */
export type Source = {
  readonly name: string
  readonly path: string
  /** Only callers with one of these roles may see and use its skills. Default: everybody. */
  readonly roles?: readonly string[]
}

/** One entry of `allowed-tools`: `Bash(git *)` is `{ tool: 'Bash', pattern: 'git *' }`. */
export type AllowedTool = { readonly tool: string; readonly pattern?: string }

export type Skill = {
  /** `skill` or `plugin:skill`; unique in a snapshot. */
  readonly id: string
  readonly name: string
  readonly plugin?: string
  readonly description: string
  /** Real path of the skill's folder. */
  readonly folder: string
  /** Real path of its `SKILL.md`. */
  readonly file: string
  /** Name of the source it came from. */
  readonly source: string
  /** Only callers with one of these roles may see and use it. */
  readonly roles?: readonly string[]
  /** The folders between the source and the skill's own, when there are some. */
  readonly within?: readonly string[]
  readonly license?: string
  readonly compatibility?: string
  /** Absent when the skill does not restrict its tools. */
  readonly allowedTools?: readonly AllowedTool[]
  /** False when `disable-model-invocation` keeps the prompt from models. */
  readonly modelInvocable: boolean
  /** Every field as it was written, known or not. */
  readonly frontmatter: Readonly<Record<string, unknown>>
}

export type Tool = {
  /** `skill.tool`, or the skill's own id for its prompt tool; unique in a snapshot. */
  readonly id: string
  /** The part after the skill's id. */
  readonly name: string
  /** Id of the skill that brings the tool; for tools of an MCP server the server's id, `host` for the program's functions, `builtin` for ours. */
  readonly skill: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly executor: ExecutorSpec
  readonly timeoutMs: number
  /** Where the tool was declared. */
  readonly origin: ToolOrigin
  /** How the interface was found, for tools that nobody declared. */
  readonly reading?: Reading
  readonly resultSchema?: JsonSchema
  readonly annotations?: Annotations
  /** How often a failed call is repeated. Absent: once, for what may be repeated at all. */
  readonly retry?: Retry
  /** Only callers with one of these roles may see and call it. */
  readonly roles?: readonly string[]
  /** Names of all variables of the host that it asks for, in templates or declared. */
  readonly env?: readonly string[]
  /** Those that are declared: a program gets them in its environment, and none runs without those that it needs. */
  readonly variables?: readonly Variable[]
  /** Where it stands in the catalogue: `documents/pdf`, or several such places. */
  readonly category?: string | readonly string[]
  readonly tags?: readonly string[]
  readonly version?: string
  readonly cost?: Json
  readonly risk?: Json
}

/** A variable of the host that a skill declares. Its value is looked up when a call is made, and kept nowhere. */
export type Variable = { readonly name: string; readonly optional?: boolean; readonly description?: string }

export type ToolOrigin =
  | 'prompt'
  | 'script'
  | 'scripts-manifest'
  | 'frontmatter'
  | 'tool-manifest'
  | 'mcp-server'
  | 'host'
  | 'builtin'

/** Hints on what a call does, as in MCP. */
export type Annotations = {
  readonly title?: string
  readonly readOnly?: boolean
  readonly destructive?: boolean
  /** A second call with the same arguments changes nothing more, so that a failed one may be repeated. */
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}

export type Retry = {
  /** Counts the first try. */
  readonly maxAttempts: number
  /** Wait before the second try; doubles each time. */
  readonly backoffMs: number
}

/** What was learned from a script's source, and how far it can be trusted. */
export type Reading = {
  /** `exact`: all of the interface; `partial`: some of it, so extra arguments stay allowed; `none`: nothing typed. */
  readonly confidence: 'exact' | 'partial' | 'none'
  /** Whether the script itself told, or only a command shown in SKILL.md. */
  readonly from: 'source' | 'skill-body'
  /** Where in that file the interface begins. */
  readonly line: number
  /** What could not be read, or what a caller should know. */
  readonly notes: readonly InspectionNote[]
  /** True when the script asks questions on a terminal, which nobody will answer. */
  readonly interactive: boolean
  readonly requirements: readonly Requirement[]
}

export type InspectionNote = {
  readonly message: string
  readonly line: number
  /** What the script wants besides its arguments; absent for what could not be read. */
  readonly about?: 'terminal' | 'stdin' | 'environment'
}

/** Something outside the skill that a script needs. */
export type Requirement = {
  readonly kind: 'module' | 'program'
  /** As it is imported or run. */
  readonly name: string
  /** What to install, when it is named differently. */
  readonly install?: string
  readonly line: number
}

/** Why a file of a skill is not a tool. */
export type LeftOut = {
  readonly skill: string
  /** Relative to the skill's folder. */
  readonly file: string
  readonly reason: LeftOutReason
  readonly detail: string
}

export type LeftOutReason =
  | 'data-file'
  | 'init-file'
  | 'private'
  | 'test'
  | 'type-declaration'
  | 'library-module'
  | 'platform-variant'
  | 'windows-only'
  | 'link-broken'
  | 'link-outside'
  | 'setuid'
  | 'too-deep'
  | 'vendored'
  | 'declared'
  | 'not-in-scripts'

export type ToolStatus = {
  readonly id: string
  readonly status: 'ok' | 'invalid' | 'shadowed'
  readonly reason?: string
  /** What a call of the tool answers, when it is invalid. */
  readonly code?: ErrorCode
  readonly file?: string
  readonly line?: number
}

export type Report = {
  readonly tools: readonly ToolStatus[]
  readonly leftOut: readonly LeftOut[]
  readonly diagnostics: readonly Diagnostic[]
  readonly counts: {
    readonly skills: number
    readonly ok: number
    readonly invalid: number
    readonly shadowed: number
    readonly leftOut: number
  }
}

/** The frozen result of compiling all sources. A running call keeps the one it started with. */
export type Snapshot = {
  readonly id: string
  readonly skills: ReadonlyMap<string, Skill>
  readonly tools: ReadonlyMap<string, Tool>
  readonly report: Report
}

/** What the tools of a source, skill or tool may do: plain data that can be printed, extended and checked. */
export type Policy = {
  /** `strict`, `balanced`, `permissive`, or a name of the user's own. */
  readonly name: string
  /** Whether programs run in a sandbox. */
  readonly sandbox: boolean
  /** What becomes of a call when this machine cannot enforce a rule: it is refused, or it runs and `meta` says so. */
  readonly unenforceable: 'error' | 'downgrade'
  /** Where programs may connect to: nowhere, anywhere, or to these `host` or `host:port` (`*.example.com:443`). */
  readonly network: 'none' | 'all' | readonly string[]
  /** Where HTTP tools may: nowhere, to the hosts that their declaration names, or to these. */
  readonly requests: 'none' | 'declared' | readonly string[]
  /** What programs may read besides the system's own programs: `skill`, `workspace`, or a path. */
  readonly read: readonly string[]
  /** What programs may write, and so read too. */
  readonly write: readonly string[]
  /** Variables of the host that a skill gets when it declares them: those granted to all skills, or these. */
  readonly env: 'granted' | readonly string[]
  /** How `allowed-tools` of a skill binds its scripts: by `Bash` and its patterns, by `Bash` alone, or not at all. */
  readonly allowedTools: 'patterns' | 'bash' | 'ignore'
  /** Whose tools a skill's pipelines and MCP declarations may call: its own, or also those of other skills, of MCP servers and of the program. */
  readonly calls: 'own' | 'all'
  /** Which calls somebody must approve; `destructive` are those that a declaration calls so. */
  readonly approval: 'never' | 'destructive' | 'always'
  /** What becomes of a skill whose content is not what was approved. */
  readonly changed: 'approve' | 'run'
  readonly limits: Limits
}

/** An absent limit is none. */
export type Limits = {
  /** Seconds a call may take, whatever the tool or the caller says. */
  readonly timeSec?: number
  /** Memory of all processes of a call together, in MiB. */
  readonly memoryMb?: number
  /** Processes and threads of a call at the same time. */
  readonly processes?: number
  /** Output returned, in KiB; what is longer is cut. */
  readonly outputKb?: number
  /** Size of one file, in MiB. */
  readonly fileMb?: number
  /** What a call may write to disk in all, in MiB. */
  readonly writtenMb?: number
  /** Size of the private `/tmp`, in MiB. */
  readonly tempMb?: number
}

/** What a call ran under. */
export type RanUnder = {
  readonly policy: string
  readonly sandbox: SandboxKind | 'none'
  /** `warm`: in a process that was started before the call. */
  readonly start: 'cold' | 'warm'
  /** Rules of the policy that this machine could not enforce, in words; absent when there are none. */
  readonly downgrades?: readonly string[]
}

export type SandboxKind = 'bubblewrap' | 'seatbelt'

/** On whose behalf something is done. */
export type Caller = { readonly id: string; readonly roles: readonly string[] }

export type ToolCall = {
  readonly toolId: string
  /** Absent: a caller without roles. */
  readonly caller?: Caller
  readonly args?: unknown
  /** The script's own command line, for people who know it; stands in for `args` and is not validated. */
  readonly commandLine?: readonly string[]
  /** Aborting it ends the tool's processes. */
  readonly signal?: AbortSignal
  /** Ties several steps together in the audit; made up when absent. */
  readonly traceId?: string
  /** Overrides the tool's own limit. */
  readonly timeoutMs?: number
  /** Hears of output and progress while the call runs. */
  readonly onUpdate?: (update: CallUpdate) => void
}

/** What a running call tells: a piece of output, or how far it is. */
export type CallUpdate =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'progress'; readonly progress: number; readonly total?: number; readonly message?: string }

export type ToolResult =
  | { readonly ok: true; readonly data: Json; readonly meta: ResultMeta }
  | { readonly ok: false; readonly error: ToolError; readonly meta: ResultMeta }

/** A failed call, worded for the model that made it. */
export type ToolError = {
  readonly code: ErrorCode
  readonly message: string
  readonly hints: readonly string[]
  /** What to do now, in one sentence. */
  readonly nextAction: string
}

export type ResultMeta = {
  readonly toolId: string
  readonly traceId: string
  readonly latencyMs: number
  readonly attempts: number
  /** Of the process, when there was one: 124 after a timeout. */
  readonly exitCode?: number
  /** What the script wrote to stderr, cut like its output. */
  readonly stderr?: string
  /** The whole output, when it was too long to return. */
  readonly outputFile?: string
  /** Absent when nothing ran. */
  readonly ranUnder?: RanUnder
}

/** What an executor answers; the call path makes the envelope around it. */
export type Outcome = (
  | { readonly ok: true; readonly data: Json }
  /** `again` is set when the same call may go well later. */
  | { readonly ok: false; readonly error: ToolError; readonly again?: { readonly afterMs?: number } }
) &
  Pick<ResultMeta, 'exitCode' | 'stderr' | 'outputFile' | 'ranUnder'>

/** Runs one kind of tool. It never throws: a failure is an outcome. */
export type Executor<Spec extends ExecutorSpec = ExecutorSpec> = {
  readonly type: Spec['type']
  execute(request: ExecuteRequest<Spec>): Promise<Outcome>
}

/** When a call must end. The signal is made when it is first asked for: many tools never do. */
export type Ending = { readonly signal: AbortSignal }

export type ExecuteRequest<Spec extends ExecutorSpec = ExecutorSpec> = {
  readonly tool: Tool
  readonly spec: Spec
  /** Absent for tools that no skill brings. */
  readonly skill: Spec extends McpSpec | HostSpec | BuiltinSpec ? Skill | undefined : Skill
  readonly args: { readonly [name: string]: Json }
  /** Given by a person instead of `args`. */
  readonly commandLine?: readonly string[]
  /** What the tool may do. */
  readonly policy: Policy
  /** All skills of the snapshot: a program may see its own and no other. */
  readonly skills: Snapshot['skills']
  readonly timeoutMs: number
  readonly ending: Ending
  readonly callId: string
  /** Real path of the folder that the call works in. */
  readonly workspace: string
  /** A variable of the host, when it is granted to this tool. Throws `RenderError` with what to do otherwise. */
  readonly variable: (name: string) => string
  /** The variables that the tool declares, for the environment of its program. */
  readonly environment: Readonly<Record<string, string>>
  readonly onUpdate?: (update: CallUpdate) => void
  /** Calls another tool of the same snapshot, within the same trace and at most for its own time. `secrets` stay out of the audit. */
  readonly callOther: (call: ToolCall, secrets: ReadonlySet<string>) => Promise<ToolResult>
}
