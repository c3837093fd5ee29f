// createRuntime(): the only file that sees every part.
import { setMaxListeners } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { auditFileOf, STATE_FOLDER } from './audit/audit-file.ts'
import { createJsonlSink } from './audit/jsonl.ts'
import { createSubscribers, type Subscribers } from './audit/subscribers.ts'
import { createBreakers } from './call/breakers.ts'
import { callTool } from './call/call-tool.ts'
import { systemClock } from './call/clock.ts'
import { isTimeLimit } from './call/time-limit.ts'
import type { AboutCategories } from './catalogue/categories.ts'
import { createDiscovery, type Discovery } from './catalogue/discovery.ts'
import type { EmbedderOptions } from './catalogue/search-index.ts'
import { createViews } from './catalogue/views.ts'
import { createCompileCache } from './compile/compile-cache.ts'
import { mountServers } from './compile/mount-servers.ts'
import { createSnapshots, type WrittenSkill } from './compile/snapshots.ts'
import { watchSources } from './compile/watch-sources.ts'
import { SkillInvocationError, toolError, toThrown } from './errors.ts'
import { createBinaryExecutor } from './executors/binary.ts'
import { checkScripts } from './executors/check-scripts.ts'
import { createVariables } from './executors/granted-variables.ts'
import { createHostExecutor, type HostFunction } from './executors/host.ts'
import { createHttpExecutor } from './executors/http.ts'
import { createMcpExecutor } from './executors/mcp.ts'
import { createPipelineExecutor } from './executors/pipeline.ts'
import { createProgramCache } from './executors/program-cache.ts'
import { createProgramRunner } from './executors/program-runner.ts'
import { createPromptExecutor } from './executors/prompt.ts'
import { createScriptExecutor } from './executors/script.ts'
import { realFolder } from './files/real-folder.ts'
import { ensureStateFolder } from './files/state-folder.ts'
import { recoverImports } from './import/staging.ts'
import type { McpServers } from './mcp/config.ts'
import { createServers, type ServerListing } from './mcp/servers.ts'
import { createHttpClient } from './network/http-client.ts'
import { createInterpreters } from './process/interpreters.ts'
import { sweepNow } from './process/process-tree.ts'
import type { SessionOfCall } from './sessions/live-session.ts'
import type { Sessions } from './sessions/session.ts'
import { createMemoryStore, type SessionStore } from './sessions/session-store.ts'
import { createSessions } from './sessions/sessions.ts'
import { loadSkills } from './skills/load-skills.ts'
import { readBody } from './skills/read-body.ts'
import { renderBody } from './skills/render-body.ts'
import { toSkillId } from './skills/skill-name.ts'
import { defaultSources, toSource, withoutRepeats } from './skills/sources.ts'
import { nearest } from './text/nearest.ts'
import { type HostToolDescription, toHostTool } from './tools/host-tools.ts'
import type {
  Caller,
  Executor,
  Json,
  Report,
  RuntimeEvent,
  Skill,
  Snapshot,
  Source,
  Tool,
  ToolCall,
  ToolResult,
} from './types.ts'
import { isVisible } from './visibility.ts'

export type { WrittenSkill }

export type RuntimeOptions = {
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
  /** Functions of this program as tools. Static: no skill can take their names. */
  readonly tools?: readonly HostTool[]
  /** False leaves out everything that skills bring. Default: what `DYNAMIC_SKILL_TOOLS_ENABLED` says, else true. */
  readonly dynamicTools?: boolean
  /** Reloads as soon as something changes on disk. Default: false, the next request sees it. */
  readonly watch?: boolean
  /** Only callers with one of these roles may use what skills bring. Default: everybody. */
  readonly dynamicToolRoles?: readonly string[]
  /** `host` or `host:port` that tools may reach although it is private. Default: none. */
  readonly allowPrivate?: readonly string[]
  /** Names of environment variables that declared tools may read with `${env:NAME}`. Default: none. */
  readonly env?: readonly string[]
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

/** A tool for those who prefer exceptions. */
export type ToolHandle = {
  readonly id: string
  /** Calls the tool; throws `SkillInvocationError` or one of its kinds when the call fails. */
  invoke(args?: unknown, options?: Omit<ToolCall, 'toolId' | 'args'>): Promise<Json>
}

export type Runtime = {
  /** The skills that can be used, by id; with a caller those that this one may use. */
  listSkills(options?: { readonly caller?: Caller }): Promise<readonly Skill[]>
  /** The skill's processed body. Throws `SkillInvocationError` when there is no such skill, or the caller may not use it. */
  invokeSkill(name: string, args?: string, options?: { readonly caller?: Caller }): Promise<string>
  /** The tools that a skill gives besides its prompt, as far as the caller may use them. Throws `SkillInvocationError` when there is no such skill. */
  getSkillTools(name: string, options?: { readonly caller?: Caller }): Promise<readonly Tool[]>
  /** All tools that a caller may use: the program's own, and for each skill its prompt, declared tools and scripts, and what MCP servers offer. */
  tools(options?: { readonly caller?: Caller }): Promise<readonly Tool[]>
  /** The tool with this id, if there is one that the caller may use: much cheaper than all tools. */
  findTool(id: string, options?: { readonly caller?: Caller }): Promise<Tool | undefined>
  /** Calls a tool. Never throws: a failure is a result. */
  call(call: ToolCall): Promise<ToolResult>
  /** A handle on a tool, bound when it is invoked. */
  getTool(id: string): ToolHandle
  /** The way from a need to a tool, in small answers: list, search, expand, call. */
  readonly discovery: Discovery
  /** Agents at work, each with its workspace, its caller and its active skills. */
  readonly sessions: Sessions
  /** Subscribes to events; returns how to stop. */
  readonly on: Subscribers['on']
  /** What became of every skill and file. */
  report(): Promise<Report>
  /** Compiles all skills and writes `dynamic_tools.json`, its lock and its report beside each. */
  writeArtifacts(): Promise<readonly WrittenSkill[]>
  /** Resolves when no call is running. */
  idle(): Promise<void>
  /** Ends running calls and MCP servers, and writes the audit out. */
  close(): Promise<void>
}

/** Loads the metadata of all skills and gives the runtime. Throws `TypeError` on impossible options. */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const settings = readOptions(options)
  const closing = new AbortController()
  // Every running call listens to it, and there may be many.
  setMaxListeners(0, closing.signal)
  const running = new Set<Promise<unknown>>()
  const subscribers = createSubscribers()
  const prepare = () => ensureStateFolder(settings.stateFolder)
  const audit = settings.audit === false ? undefined : createJsonlSink(settings.audit, prepare)
  const emit = (event: RuntimeEvent) => {
    audit?.write(event)
    subscribers.emit(event)
  }

  const interpreters = createInterpreters(process.env)
  const run = createProgramRunner({ hostEnv: process.env, outputFile })
  const breakers = createBreakers(systemClock)
  const variable = createVariables(options.env ?? [], process.env)
  const http = createHttpClient({ allowPrivate: options.allowPrivate ?? [] })
  const servers = createServers(options.mcpServers ?? {}, { workspace: settings.workspace, hostEnv: process.env })
  const hostTools = options.tools ?? []
  const functions = new Map(hostTools.map(tool => [tool.name, tool.run]))
  const executors: readonly Executor[] = [
    createPromptExecutor({ render: renderSkill }),
    createScriptExecutor({ run, interpreters }),
    createPipelineExecutor(),
    createHostExecutor({ functions }),
    createMcpExecutor({ servers, outputFile }),
    createBinaryExecutor({ run, interpreters, cache: createProgramCache(settings.programs, http) }),
    createHttpExecutor({ client: http, outputFile }),
  ] as readonly Executor[]

  for (const { path } of settings.sources) await recoverImports(path)
  const ofTools = {
    staticTools: hostTools.map(tool => toHostTool(tool, settings)),
    ...(options.dynamicToolRoles && { dynamicRoles: options.dynamicToolRoles }),
  }
  const snapshots = createSnapshots({
    load: cache => loadSkills(settings.dynamicTools ? settings.sources : [], cache),
    cache: createCompileCache({ timeoutMs: settings.timeoutMs }),
    ...ofTools,
    emit,
  })
  const stopWatching = options.watch ? await watchSources(settings.sources, () => fresh().catch(() => {})) : undefined
  let mounted: { base: Snapshot; listings: readonly ServerListing[]; snapshot: Snapshot } | undefined
  const fresh = async (toolId?: string) => {
    const base = toolId === undefined ? snapshots.fresh() : snapshots.freshFor(toolId)
    return mount(...(await Promise.all([base, servers.list()])))
  }

  const newViews = () => createViews(discoveryOptions(options))
  const views = newViews()
  const sessions = createSessions(
    {
      store: options.sessionStore ?? createMemoryStore(),
      snapshot: fresh,
      call: callIn,
      ...{ emit, on: subscribers.on, views, newViews },
      inline: { ...ofTools, timeoutMs: settings.timeoutMs },
      allowInline: settings.dynamicTools && options.inlineSkills !== false,
      now: Date.now,
    },
    { workspace: settings.workspace, maxSessions: settings.maxSessions },
  )

  return {
    sessions,
    on: subscribers.on,
    listSkills: async ({ caller } = {}) => [...(await skillsFor(caller)).values()],
    invokeSkill: async (name, args = '', { caller } = {}) =>
      renderSkill(findSkill(name, await skillsFor(caller)), args),
    getSkillTools: async (name, { caller } = {}) => {
      const { skills, tools } = await fresh()
      const { id } = findSkill(name, skills)
      const isOwn = (tool: Tool) => tool.skill === id && tool.executor.type !== 'prompt'
      return [...tools.values()].filter(tool => isOwn(tool) && isVisible(tool, caller))
    },
    async tools({ caller } = {}) {
      const { tools } = await fresh()
      return [...tools.values()].filter(tool => isVisible(tool, caller))
    },
    async findTool(id, { caller } = {}) {
      const tool = (await fresh(id)).tools.get(id)
      return tool && isVisible(tool, caller) ? tool : undefined
    },
    async report() {
      const current = await fresh()
      const missing = await checkScripts(current, interpreters)
      return { ...current.report, diagnostics: [...current.report.diagnostics, ...missing] }
    },
    writeArtifacts: snapshots.write,
    discovery: createDiscovery({ snapshot: fresh, call: callIn, emit, views }),
    call,
    getTool: id => ({
      id,
      async invoke(args, rest) {
        const result = await call({ ...rest, toolId: id, args })
        if (!result.ok) throw toThrown(result)
        return result.data
      },
    }),
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
    async close() {
      closing.abort()
      await Promise.allSettled(running)
      await sessions.close()
      sweepNow()
      await stopWatching?.()
      await servers.close()
      await http.close()
      await audit?.close()
    },
  }

  async function call(request: ToolCall): Promise<ToolResult> {
    return callIn(request, await fresh(String(request?.toolId)))
  }

  async function callIn(request: ToolCall, snapshot: Snapshot, session?: SessionOfCall): Promise<ToolResult> {
    const scope = {
      snapshot,
      workspace: session?.workspace ?? settings.workspace,
      ...(session && { session }),
      executors,
      closing: closing.signal,
      emit,
      variable,
      clock: systemClock,
      breakers,
    }
    const promise = callTool(request, scope)
    running.add(promise)
    return promise.finally(() => running.delete(promise))
  }

  /** The same snapshot as long as neither the skills nor the servers' tools change. */
  function mount(base: Snapshot, listings: readonly ServerListing[]): Snapshot {
    if (mounted?.base === base && mounted.listings === listings) return mounted.snapshot
    mounted = { base, listings, snapshot: mountServers(base, listings, { timeoutMs: settings.timeoutMs }) }
    return mounted.snapshot
  }

  /** Whoever owns the program sees all skills; what skills bring may be bound to roles as a whole. */
  async function skillsFor(caller: Caller | undefined): Promise<ReadonlyMap<string, Skill>> {
    const { dynamicToolRoles } = options
    const mayUse = !caller || isVisible({ ...(dynamicToolRoles && { roles: dynamicToolRoles }) }, caller)
    return mayUse ? snapshots.skills() : new Map()
  }

  function findSkill(name: string, skills: ReadonlyMap<string, Skill>): Skill {
    const skill = skills.get(name) ?? skills.get(toSkillId(name))
    if (skill) return skill
    const close = nearest(name, skills.keys())
    throw new SkillInvocationError(
      toolError('SKILL_NOT_FOUND', `There is no skill ${JSON.stringify(name)}.`, {
        hints: close.map(id => `Did you mean ${id}?`),
        nextAction: 'List the skills, then choose one of them.',
      }),
    )
  }

  function renderSkill(skill: Skill, args: string): string {
    try {
      return renderBody(readBody(skill.file), skill.folder, args)
    } catch (error) {
      const message = `The body of ${skill.id} cannot be read: ${error instanceof Error ? error.message : String(error)}`
      throw new SkillInvocationError(
        toolError('SKILL_UNREADABLE', message, { nextAction: 'Go on without this skill.' }),
      )
    }
  }

  function outputFile(name: string): string {
    prepare()
    const folder = join(settings.stateFolder, 'outputs')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return join(folder, name)
  }
}

function discoveryOptions({ categories, embedder }: RuntimeOptions) {
  const onError = (error: unknown) =>
    process.emitWarning(`The embedder failed, so a search went without it: ${String(error)}`, 'SkillwrightWarning')
  return { categories, ...(embedder && { embedder: { onError, ...embedder } }) }
}

function readOptions(options: RuntimeOptions) {
  const workspace = realFolder(options.workspace ?? '.', 'workspace')
  const timeoutMs = options.timeoutMs ?? 30_000
  if (!isTimeLimit(timeoutMs)) throw new TypeError(`timeoutMs: ${timeoutMs} is no time limit`)
  const maxSessions = options.maxSessions ?? 1000
  if (!(Number.isInteger(maxSessions) && maxSessions > 0))
    throw new TypeError(`maxSessions: ${maxSessions} is not a number of sessions`)
  const stateFolder = resolve(workspace, options.stateFolder ?? STATE_FOLDER)
  const usual =
    options.defaultSources === false ? [] : defaultSources({ workspace }).filter(one => existsSync(one.path))
  return {
    workspace,
    timeoutMs,
    maxSessions,
    stateFolder,
    programs: join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'skillwright', 'programs'),
    audit: auditFileOf({ workspace, stateFolder, audit: options.audit }),
    dynamicTools:
      options.dynamicTools ?? !/^(?:0|false|no|off)$/i.test(process.env['DYNAMIC_SKILL_TOOLS_ENABLED'] ?? ''),
    sources: withoutRepeats([...usual, ...(options.sources ?? []).map(toSource)]),
  }
}
