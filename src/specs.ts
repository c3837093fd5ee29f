// How a tool is executed, as plain data that can be stored: one type for each executor.
import type { Json, JsonSchema } from './types.ts'

export type ExecutorSpec =
  | PromptSpec
  | ScriptSpec
  | BinarySpec
  | HttpSpec
  | McpSpec
  | PipelineSpec
  | HostSpec
  | BuiltinSpec

/** Answers with the skill's processed body. */
export type PromptSpec = { readonly type: 'prompt' }

/** Runs a file of the skill with its interpreter. */
export type ScriptSpec = {
  readonly type: 'script'
  /** Relative to the skill's folder, with `/`; for inline code only a name to show. */
  readonly file: string
  /** The code itself, when it stands in the declaration. */
  readonly inline?: string
  readonly language: Language
  /** Program and arguments of the `#!` line, when there is one. */
  readonly shebang?: readonly string[]
  readonly cwd: 'workspace' | 'skill'
  readonly convention: CallingConvention
}

/** Runs a program: one that is installed, one of the skill's own files, or one that is downloaded once. */
export type BinarySpec = {
  readonly type: 'binary'
  readonly program: { readonly path: string } | { readonly url: string; readonly sha256: string }
  readonly cwd: 'workspace' | 'skill'
  readonly convention: Templated | JsonStdin
}

/** Sends a request. All texts are templates. */
export type HttpSpec = {
  readonly type: 'http'
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: HttpBody
}

/** `arguments`: query for GET, HEAD and DELETE, else JSON, of all arguments that the URL does not use. */
export type HttpBody =
  | { readonly as: 'arguments' }
  | { readonly as: 'json'; readonly template: Json }
  | { readonly as: 'text'; readonly template: string }
  | { readonly as: 'form'; readonly fields: Readonly<Record<string, string>> }
  /** A field whose text is `@` and a template uploads that file of the workspace. */
  | { readonly as: 'multipart'; readonly fields: Readonly<Record<string, string>> }

/** Calls a tool of an MCP server. */
export type McpSpec = { readonly type: 'mcp'; readonly server: string; readonly tool: string }

/** Calls other tools one after the other. */
export type PipelineSpec = {
  readonly type: 'pipeline'
  readonly steps: readonly PipelineStep[]
  /** Template for the result; the last step's data when absent. */
  readonly result?: Json
}

export type PipelineStep = {
  readonly id: string
  /** Id of a tool, or the name of one of the same skill. */
  readonly tool: string
  /** Data with templates; `${steps.<id>.data…}` reaches earlier results. */
  readonly args: Json
}

/** Calls a function of the embedding program. */
export type HostSpec = { readonly type: 'host'; readonly name: string }

/** Runs a tool of the program's own in the workspace. */
export type BuiltinSpec = {
  readonly type: 'builtin'
  readonly name: 'bash' | 'read' | 'write' | 'edit' | 'grep' | 'glob' | 'ls'
}

export type Language = 'python' | 'shell' | 'javascript' | 'typescript' | 'ruby' | 'perl' | 'powershell' | 'other'

/** How validated arguments become argv, stdin and environment. Plain data, so that it can be stored. */
export type CallingConvention = FreeForm | CommandLine | PythonFunction | Templated | JsonStdin

/** The author wrote how: templates for argv and stdin. Without one for stdin it is empty. */
export type Templated = {
  readonly type: 'templates'
  /** One text, split like a shell does before anything is filled in, or a list with one item per argument. */
  readonly argv: string | readonly string[]
  readonly stdin?: string
}

/** All arguments as one JSON object on stdin. */
export type JsonStdin = { readonly type: 'json-stdin' }

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

/** A launcher calls a function of the script with the arguments by name, and prints what it returns. */
export type PythonFunction = {
  readonly type: 'python-function'
  readonly function: string
  readonly parameters: readonly FunctionParameter[]
}

export type FunctionParameter = Pick<ScriptParameter, 'name' | 'schema' | 'required' | 'line'>

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
      /** True when a value that begins with `-` would be read as a flag: it is refused. */
      readonly refusesDashes?: boolean
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
