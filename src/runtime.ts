// createRuntime(): the only file that sees every part.
import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createJsonlSink } from './audit/jsonl.ts'
import { createSubscribers, type Subscribers } from './audit/subscribers.ts'
import { builtinTools } from './builtins/builtins.ts'
import { createProtection } from './builtins/protection.ts'
import { createBreakers } from './call/breakers.ts'
import { callTool } from './call/call-tool.ts'
import { systemClock } from './call/clock.ts'
import { createDiscovery, type Discovery } from './catalogue/discovery.ts'
import { createViews } from './catalogue/views.ts'
import { createCompileCache } from './compile/compile-cache.ts'
import { mountServers } from './compile/mount-servers.ts'
import { createSnapshots, type WrittenSkill } from './compile/snapshots.ts'
import { watchSources } from './compile/watch-sources.ts'
import { SkillInvocationError, toolError, toThrown } from './errors.ts'
import { createBinaryExecutor } from './executors/binary.ts'
import { createBuiltinExecutor } from './executors/builtin.ts'
import { checkScripts } from './executors/check-scripts.ts'
import { createVariables, type SecretSource } from './executors/granted-variables.ts'
import { createHostExecutor } from './executors/host.ts'
import { createHttpExecutor } from './executors/http.ts'
import { createMcpExecutor } from './executors/mcp.ts'
import { createPipelineExecutor } from './executors/pipeline.ts'
import { createProgramCache } from './executors/program-cache.ts'
import { createProgramRunner } from './executors/program-runner.ts'
import { createPromptExecutor } from './executors/prompt.ts'
import { createScriptExecutor } from './executors/script.ts'
import { ensureStateFolder } from './files/state-folder.ts'
import { isImported } from './import/is-imported.ts'
import { recoverImports } from './import/staging.ts'
import { createServers, type ServerListing } from './mcp/servers.ts'
import { createHttpClient } from './network/http-client.ts'
import { createProxies } from './network/proxies.ts'
import { createAssignment } from './policy/assign-policy.ts'
import { checkTrust } from './policy/check-trust.ts'
import { createJudge } from './policy/judge.ts'
import { type Machine, machineOf } from './policy/machine.ts'
import { checkGrants } from './policy/read-policy.ts'
import { type ToolPolicy, toolPolicy } from './policy/tool-policy.ts'
import { createInterpreters } from './process/interpreters.ts'
import { sweepNow } from './process/process-tree.ts'
import { createRunner } from './runner/create-runner.ts'
import { discoveryOptions, type HostTool, type RuntimeOptions, readOptions } from './runtime-options.ts'
import { probeSandbox } from './sandbox/probe-sandbox.ts'
import { checkedStore } from './sessions/checked-store.ts'
import { INLINE_SOURCE } from './sessions/inline-skills.ts'
import type { SessionOfCall } from './sessions/live-session.ts'
import type { Sessions } from './sessions/session.ts'
import { createMemoryStore } from './sessions/session-store.ts'
import { createSessions } from './sessions/sessions.ts'
import { loadSkills } from './skills/load-skills.ts'
import { readBody } from './skills/read-body.ts'
import { renderBody } from './skills/render-body.ts'
import { toSkillId } from './skills/skill-name.ts'
import { createKnownSecrets } from './text/known-secrets.ts'
import { nearest } from './text/nearest.ts'
import { toHostTool } from './tools/host-tools.ts'
import { createContents } from './trust/content.ts'
import { type Review, reviewSkill } from './trust/review.ts'
import { createTrust, type TrustOptions } from './trust/trust.ts'
import { createTrustStore, type TrustRecord } from './trust/trust-store.ts'
import type {
  Caller,
  Executor,
  Json,
  Report,
  RuntimeEvent,
  Skill,
  Snapshot,
  Tool,
  ToolCall,
  ToolResult,
} from './types.ts'
import { isVisible } from './visibility.ts'

export type { HostTool, RuntimeOptions, SecretSource, WrittenSkill }

/** A tool for those who prefer exceptions. */
export type ToolHandle = {
  readonly id: string
  /** Calls the tool; throws `SkillInvocationError` or one of its kinds when the call fails. */
  invoke(args?: unknown, options?: Omit<ToolCall, 'toolId' | 'args'>): Promise<Json>
}

export type Runtime = {
  /** The skills that a caller can use, by id. */
  listSkills(options?: AsCaller): Promise<readonly Skill[]>
  /** The skill's processed body. Throws `SkillInvocationError` when the caller knows no such skill. */
  invokeSkill(name: string, args?: string, options?: AsCaller): Promise<string>
  /** The tools that a skill gives besides its prompt, as far as the caller may use them. Throws `SkillInvocationError` when there is no such skill. */
  getSkillTools(name: string, options?: AsCaller): Promise<readonly Tool[]>
  /** All tools that a caller may use: the program's own, and for each skill its prompt, declared tools and scripts, and what MCP servers offer. */
  tools(options?: AsCaller): Promise<readonly Tool[]>
  /** The tool with this id, if there is one that the caller may use: much cheaper than all tools. */
  findTool(id: string, options?: AsCaller): Promise<Tool | undefined>
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
  /** Which policy holds for a tool, why, and what this machine enforces of it. Undefined when the caller knows no such tool. */
  policyOf(toolId: string, options?: AsCaller): Promise<ToolPolicy | undefined>
  /** What a skill can do, read from its files; nothing is run. Throws `SkillInvocationError` when the caller knows no such skill. */
  review(name: string, options?: AsCaller): Promise<Review>
  /** Approves a skill as it is now, and grants what is named; earlier grants are replaced. Throws `SkillInvocationError` when there is no such skill. */
  trust(name: string, options?: TrustOptions): Promise<TrustRecord>
  /** Takes back what was approved and granted. Throws `SkillInvocationError` when there is no such skill. */
  untrust(name: string): Promise<void>
  /** What this machine can hold programs to. */
  machine(): Promise<Machine>
  /** Compiles all skills and writes `dynamic_tools.json`, its lock and its report beside each. */
  writeArtifacts(): Promise<readonly WrittenSkill[]>
  /** Resolves when no call is running. */
  idle(): Promise<void>
  /** Ends running calls and MCP servers, and writes the audit out. */
  close(): Promise<void>
}

/** Absent: a caller without roles. */
type AsCaller = { readonly caller?: Caller }

/** Loads the metadata of all skills and gives the runtime. Throws `TypeError` on impossible options. */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const settings = readOptions(options)
  const closing = new AbortController()
  // Every running call listens to it, and there may be many.
  setMaxListeners(0, closing.signal)
  const running = new Set<Promise<unknown>>()
  const known = createKnownSecrets()
  const warn = (text: string) => process.emitWarning(known.mask().text(text), 'SkillwrightWarning')
  const subscribers = createSubscribers(warn)
  const prepare = () => ensureStateFolder(settings.stateFolder)
  const audit = settings.audit === false ? undefined : createJsonlSink(settings.audit, prepare)
  const emit = (said: RuntimeEvent) => {
    const event = masked(said)
    audit?.write(event)
    subscribers.emit(event)
  }

  const interpreters = createInterpreters(process.env)
  const trust = createTrust(createTrustStore(settings.trustFile), createContents())
  const judge = createJudge({
    assign: createAssignment({ ...options, sources: settings.places, env: options.env ?? [] }),
    trust,
    isHandedOver: skill => skill.source === INLINE_SOURCE,
    isImported: skill => settings.roots.some(root => isImported(skill.folder, root)),
  })
  const approving = {
    ...(options.onApproval && { onApproval: options.onApproval }),
    hashOf: trust.hashOf,
    pinAs: trust.pinAs,
  }
  const runner = createRunner(options)
  const proxies = createProxies({ allowPrivate: options.allowPrivate ?? [] })
  const run = createProgramRunner({
    ...settings,
    hostEnv: process.env,
    run: runner.run,
    proxies,
    machine,
    sources: settings.places.map(({ path }) => path),
  })
  const breakers = createBreakers(systemClock)
  const variables = createVariables({ granted: options.env ?? [], hostEnv: process.env, source: options.secrets })
  const http = createHttpClient({ allowPrivate: options.allowPrivate ?? [] })
  const servers = createServers(options.mcpServers ?? {}, {
    workspace: settings.workspace,
    hostEnv: process.env,
    onSecrets: known.add,
  })
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
    createBuiltinExecutor({
      ...settings,
      run,
      interpreters,
      protection: createProtection({ own: settings.own, sources: settings.places.map(({ path }) => path) }),
    }),
  ] as readonly Executor[]

  for (const { path } of settings.sources) await recoverImports(path)
  const ofTools = {
    staticTools: [...builtinTools(options.builtins), ...hostTools.map(tool => toHostTool(tool, settings))],
    ...(options.dynamicToolRoles && { dynamicRoles: options.dynamicToolRoles }),
  }
  const snapshots = createSnapshots({
    load: cache => loadSkills(settings.dynamicTools ? settings.sources : [], cache),
    cache: createCompileCache({ timeoutMs: settings.timeoutMs }),
    ...ofTools,
    emit,
    masked,
  })
  const stopWatching = options.watch ? await watchSources(settings.sources, () => fresh().catch(() => {})) : undefined
  let mounted: { base: Snapshot; listings: readonly ServerListing[]; snapshot: Snapshot } | undefined
  const fresh = async (toolId?: string) => {
    const listings = servers.list()
    const base = await (toolId === undefined ? snapshots.fresh() : snapshots.freshFor(toolId))
    return mount(base, await listings)
  }

  const newViews = () => createViews(discoveryOptions(options, warn))
  const views = newViews()
  const sessions = createSessions(
    {
      store: options.sessionStore ? checkedStore(options.sessionStore) : createMemoryStore(),
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
    sessions: { open: sessions.open, get: sessions.get },
    on: subscribers.on,
    listSkills: async ({ caller } = {}) => [...(await visibleSkills(caller)).values()],
    async invokeSkill(name, args = '', { caller } = {}) {
      const skill = findSkill(name, await visibleSkills(caller))
      await requireTrust(skill, args)
      return renderSkill(skill, args)
    },
    getSkillTools: async (name, { caller } = {}) => {
      const { skills, tools } = await fresh()
      const { id } = findSkill(name, visible(skills, caller))
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
      return masked({ ...current.report, diagnostics: [...current.report.diagnostics, ...missing] })
    },
    machine,
    async policyOf(toolId, { caller } = {}) {
      const { tools, skills } = await fresh(toolId)
      const tool = tools.get(toolId)
      if (!tool || !isVisible(tool, caller)) return undefined
      const verdict = await judge(tool, skills.get(tool.skill))
      return toolPolicy(tool, verdict, await machine())
    },
    async review(name, { caller } = {}) {
      const { skills, tools } = await fresh()
      const skill = findSkill(name, visible(skills, caller))
      const own = [...tools.values()].filter(tool => tool.skill === skill.id && isVisible(tool, caller))
      const { policy, because, pin } = await judge({ id: skill.id, skill: skill.id }, skill)
      return reviewSkill({ skill, tools: own, pin, policy: policy.name, because, interpreters })
    },
    async trust(name, given) {
      const problem = checkGrants(given?.grants ?? {})
      if (problem) throw new TypeError(`grants: ${problem}`)
      return trust.trust(findSkill(name, await snapshots.skills()), given)
    },
    untrust: async name => trust.forget(findSkill(name, await snapshots.skills()).folder),
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
      await runner.close()
      await stopWatching?.()
      await servers.close()
      await proxies.close()
      await http.close()
      await audit?.close()
    },
  }

  /** Without what the host grants to tools, whether a call has asked for it yet or not. */
  function masked<T>(value: T): T {
    if (options.env) known.add(options.env.flatMap(name => process.env[name] ?? []))
    return known.mask().data(value as Json) as T
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
      variables,
      known,
      judge,
      ...approving,
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
    if (mounted && mounted.listings !== listings) sessions.toolsChanged(listings.map(one => toSkillId(one.server)))
    mounted = { base, listings, snapshot: mountServers(base, listings, { timeoutMs: settings.timeoutMs }) }
    return mounted.snapshot
  }

  async function visibleSkills(caller: Caller | undefined): Promise<Snapshot['skills']> {
    return visible(await snapshots.skills(), caller)
  }

  /** The instructions of a skill that nobody approved as they are now are not given either. */
  async function requireTrust(skill: Skill, args: string): Promise<void> {
    const tool = { id: skill.id, skill: skill.id }
    const about = { skill, tool, args: { arguments: args }, signal: closing.signal }
    const refused = await checkTrust(await judge(tool, skill), about, approving)
    if (refused) throw new SkillInvocationError(refused.error)
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
    mkdirSync(settings.outputs, { recursive: true, mode: 0o700 })
    return join(settings.outputs, name)
  }
}

function visible(skills: Snapshot['skills'], caller: Caller | undefined): Snapshot['skills'] {
  return new Map([...skills].filter(([, skill]) => isVisible(skill, caller)))
}

async function machine(): Promise<Machine> {
  return machineOf(await probeSandbox())
}
