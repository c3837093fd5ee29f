// The whole domain as plain readonly data. No logic lives here.
import type { DiagnosticCode } from './diagnostics.ts'
import type { ErrorCode } from './errors.ts'

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
  /** Id of the skill that brings the tool. */
  readonly skill: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly executor: ExecutorSpec
  readonly timeoutMs: number
}

export type ExecutorSpec = PromptSpec | ScriptSpec

/** Answers with the skill's processed body. */
export type PromptSpec = { readonly type: 'prompt' }

/** Runs a file of the skill with its interpreter. */
export type ScriptSpec = {
  readonly type: 'script'
  /** Relative to the skill's folder, with `/`. */
  readonly file: string
  readonly language: Language
  /** Program and arguments of the `#!` line, when there is one. */
  readonly shebang?: readonly string[]
  readonly cwd: 'workspace' | 'skill'
  readonly convention: CallingConvention
}

export type Language = 'python' | 'shell' | 'javascript' | 'typescript' | 'ruby' | 'perl' | 'powershell' | 'other'

/** How validated arguments become argv, stdin and environment. Plain data, so that it can be stored. */
export type CallingConvention = FreeForm | CommandLine

/** `data` goes to stdin as JSON, `arguments` to argv. */
export type FreeForm = { readonly type: 'free-form' }

/** Arguments become a command line that the script's own parser reads. */
export type CommandLine = {
  readonly type: 'command-line'
  /** Words that select the command; empty for a script without sub-commands. */
  readonly command: readonly string[]
  /** In order of declaration, which is the order of the positionals. */
  readonly parameters: readonly ScriptParameter[]
  readonly exclusive: readonly ExclusiveGroup[]
  /**
   * What to do with a positional value that begins with `-`: put `--` before the positionals (the parser honours it),
   * pass it as it stands (the script reads by position), or refuse it (it would become a flag).
   */
  readonly dashes: 'terminator' | 'pass' | 'refuse'
  /** True when only part of the interface could be read: extra `arguments` are accepted and appended. */
  readonly open: boolean
}

export type ScriptParameter = {
  /** The property in the tool's schema. */
  readonly name: string
  /** Type, enum, default, description … of the value. */
  readonly schema: JsonSchema
  readonly required: boolean
  /** How many command words stand before it on the command line. */
  readonly level: number
  /** Where in the source it is declared. */
  readonly line: number
  readonly pass: ParameterPassing
}

/** How one value reaches argv. `flags` are all spellings, the one to use first. */
export type ParameterPassing =
  | { readonly as: 'positional'; readonly words?: BooleanWords }
  | {
      readonly as: 'option'
      readonly flags: readonly string[]
      /** `--f=v`, `--f v` or `-fv`. */
      readonly join: 'equals' | 'separate' | 'attached'
      /** An array value: the flag once per item, or once before all items. */
      readonly list?: 'repeat' | 'spread'
      /** The value that is said by the flag alone. */
      readonly bare?: Json
      readonly words?: BooleanWords
    }
  /** The flag alone, given when the value equals `when`; `opposite` is given for `false`. */
  | { readonly as: 'switch'; readonly flags: readonly string[]; readonly when: Json; readonly opposite?: string }
  /** The flag as often as the number says. */
  | { readonly as: 'count'; readonly flags: readonly string[] }
  /** Everything that follows, unparsed. */
  | { readonly as: 'rest' }
  | { readonly as: 'environment'; readonly variable: string }
  | { readonly as: 'stdin' }

/** What the script reads as true and as false, where a boolean is a word and not a switch. */
export type BooleanWords = readonly [yes: string, no: string]

/** At most one of these parameters may be given; exactly one when `required`. */
export type ExclusiveGroup = { readonly names: readonly string[]; readonly required: boolean }

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
  | 'not-in-scripts'

export type ToolStatus = {
  readonly id: string
  readonly status: 'ok' | 'invalid' | 'shadowed'
  readonly reason?: string
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

export type ToolCall = {
  readonly toolId: string
  readonly args?: unknown
  /** Aborting it ends the tool's processes. */
  readonly signal?: AbortSignal
  /** Ties several steps together in the audit; made up when absent. */
  readonly traceId?: string
  /** Overrides the tool's own limit. */
  readonly timeoutMs?: number
}

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
}

/** What an executor answers; the call path makes the envelope around it. */
export type Outcome = ({ readonly ok: true; readonly data: Json } | { readonly ok: false; readonly error: ToolError }) &
  Pick<ResultMeta, 'exitCode' | 'stderr' | 'outputFile'>

/** Runs one kind of tool. It never throws: a failure is an outcome. */
export type Executor<Spec extends ExecutorSpec = ExecutorSpec> = {
  readonly type: Spec['type']
  execute(request: ExecuteRequest<Spec>): Promise<Outcome>
}

export type ExecuteRequest<Spec extends ExecutorSpec = ExecutorSpec> = {
  readonly tool: Tool
  readonly spec: Spec
  readonly skill: Skill
  readonly args: { readonly [name: string]: Json }
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly callId: string
}

export type RuntimeEvent = CompileEvent | CallEvent

/** The sources were compiled to a new snapshot. */
export type CompileEvent = {
  readonly type: 'dynamic_tool.compile'
  readonly time: string
  readonly traceId: string
  readonly status: 'ok' | 'error'
  readonly latencyMs: number
  readonly snapshot: string
  readonly counts: Report['counts']
}

/** One call has ended, well or not: exactly one per call. */
export type CallEvent = {
  readonly type: 'dynamic_tool.call'
  readonly time: string
  readonly traceId: string
  /** Null when the tool is unknown. */
  readonly skillId: string | null
  readonly toolName: string
  readonly executor: ExecutorSpec['type'] | null
  readonly attempt: number
  readonly latencyMs: number
  readonly status: 'ok' | 'error'
  readonly errorCode: ErrorCode | null
  /** With secret values masked and long ones cut. */
  readonly args: Json
}
