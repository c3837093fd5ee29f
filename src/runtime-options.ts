// What a runtime is created with.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { auditFileOf, STATE_FOLDER } from './audit/audit-file.ts'
import type { BuiltinName } from './builtins/builtin.ts'
import { isTimeLimit } from './call/time-limit.ts'
import type { AboutCategories } from './catalogue/categories.ts'
import type { EmbedderOptions } from './catalogue/search-index.ts'
import type { SecretSource } from './executors/granted-variables.ts'
import type { HostFunction } from './executors/host.ts'
import { realFolder } from './files/real-folder.ts'
import type { McpServers } from './mcp/config.ts'
import type { OnApproval } from './policy/approval.ts'
import type { PolicyRule } from './policy/assign-policy.ts'
import type { PolicyName } from './policy/policies.ts'
import type { RunnerOptions } from './runner/create-runner.ts'
import type { SessionStore } from './sessions/session-store.ts'
import { defaultSources, realPath, toSource, withoutRepeats } from './skills/sources.ts'
import type { HostToolDescription } from './tools/host-tools.ts'
import { trustFileOf } from './trust/trust-store.ts'
import type { Policy, Source } from './types.ts'

export type RuntimeOptions = RunnerOptions & {
  /** Folders of skills, lowest precedence first; they win over the default ones. */
  readonly sources?: readonly (string | Source)[]
  /** Whether the usual folders of project and user are sources too. Default: true. */
  readonly defaultSources?: boolean
  /** The folder that scripts run in. Default: the working directory. */
  readonly workspace?: string
  /** Where audit and long outputs are kept. Default: `.skillwright` in the workspace. */
  readonly stateFolder?: string
  /** The audit file, or false for none. Default: `audit.jsonl` in the state folder. */
  readonly audit?: string | false
  /** What tools may do, where no rule says otherwise. Imported skills start at `strict` all the same. Default: `balanced`. */
  readonly policy?: PolicyName | Policy
  /** Policies of sources, skills and tools; the most specific one counts. Default: none. */
  readonly policies?: readonly PolicyRule[]
  /** Asked before calls that need approval. Default: there is nobody to ask, so that such calls are refused. */
  readonly onApproval?: OnApproval
  /** Where approvals of skills are kept. Default: `skillwright/trust.json` in the user's state folder. */
  readonly trustFile?: string
  /** Files that no script may change, besides state, audit and approvals. Default: none. */
  readonly protect?: readonly string[]
  /** Files and folders that no tool may see, besides state and audit. Default: none. */
  readonly hide?: readonly string[]
  /** Functions of this program as tools. Static: no skill can take their names. */
  readonly tools?: readonly HostTool[]
  /** Tools for the files of the workspace: all of them, or these. Static like `tools`. Default: none. */
  readonly builtins?: boolean | readonly BuiltinName[]
  /** False leaves out everything that skills bring. Default: what `DYNAMIC_SKILL_TOOLS_ENABLED` says, else true. */
  readonly dynamicTools?: boolean
  /** Reloads as soon as something changes on disk. Default: false, the next request sees it. */
  readonly watch?: boolean
  /** Only callers with one of these roles may use what skills bring. Default: everybody. */
  readonly dynamicToolRoles?: readonly string[]
  /** `host` or `host:port` that tools may reach although it is private. Default: none. */
  readonly allowPrivate?: readonly string[]
  /** Names of variables that skills get when they declare them, or ask for them with `${env:NAME}`. Default: none. */
  readonly env?: readonly string[]
  /** Gives the values of granted variables, for programs that keep secrets elsewhere. Default: the environment, which is also asked for what it does not know. */
  readonly secrets?: SecretSource
  /** MCP servers whose tools join the catalogue, by name; they are connected at the first request for tools. Default: none. */
  readonly mcpServers?: McpServers
  /** Summary and tags of categories by path, such as `documents/pdf`. Default: derived from the tools. */
  readonly categories?: AboutCategories
  /** A model that takes part in searches. Default: none, words and built-in word vectors decide. */
  readonly embedder?: EmbedderOptions
  /** Where sessions are kept. Default: in memory. */
  readonly sessionStore?: SessionStore
  /** How many sessions may be open in this process. Default: 1,000. */
  readonly maxSessions?: number
  /** Whether a session may be handed a skill as text. Default: true. */
  readonly inlineSkills?: boolean
  /** Time limit of a call in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
}

/** A function of the embedding program as a tool. */
export type HostTool = HostToolDescription & {
  /** Does the work. What it throws is the message that the model reads. */
  readonly run: HostFunction
}

/** Throws `TypeError` on impossible options. */
export function readOptions(options: RuntimeOptions) {
  const workspace = realFolder(options.workspace ?? '.', 'workspace')
  const timeoutMs = options.timeoutMs ?? 30_000
  if (!isTimeLimit(timeoutMs)) throw new TypeError(`timeoutMs: ${timeoutMs} is no time limit`)
  const maxSessions = options.maxSessions ?? 1000
  if (!(Number.isInteger(maxSessions) && maxSessions > 0))
    throw new TypeError(`maxSessions: ${maxSessions} is not a number of sessions`)
  const stateFolder = resolve(workspace, options.stateFolder ?? STATE_FOLDER)
  const usual = options.defaultSources === false ? [] : defaultSources({ workspace })
  const named = (options.sources ?? []).map(toSource)
  const audit = auditFileOf({ workspace, stateFolder, audit: options.audit })
  const trustFile = resolve(options.trustFile ?? trustFileOf())
  return {
    workspace,
    timeoutMs,
    maxSessions,
    stateFolder,
    outputs: join(stateFolder, 'outputs'),
    audit,
    trustFile,
    programs: join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'skillwright', 'programs'),
    dynamicTools:
      options.dynamicTools ?? !/^(?:0|false|no|off)$/i.test(process.env['DYNAMIC_SKILL_TOOLS_ENABLED'] ?? ''),
    sources: withoutRepeats([...usual.filter(one => existsSync(one.path)), ...named]),
    roots: [...usual, ...named].map(source => realPath(source.path)),
    /** Also such as do not exist yet: what is put there would be loaded. */
    places: [...usual, ...named],
    /** What no script may change. */
    own: [
      stateFolder,
      ...(audit === false ? [] : [audit]),
      trustFile,
      ...(options.protect ?? []).map(path => resolve(path)),
    ],
    /** What tells of other callers. */
    hidden: [stateFolder, ...(audit === false ? [] : [audit]), ...(options.hide ?? []).map(path => resolve(path))],
  }
}

export function discoveryOptions({ categories, embedder }: RuntimeOptions, warn: (text: string) => void) {
  const onError = (error: unknown) => warn(`The embedder failed, so a search went without it: ${String(error)}`)
  return { categories, ...(embedder && { embedder: { onError, ...embedder } }) }
}
