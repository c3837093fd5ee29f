// createRuntime(): the only file that sees every part.
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createJsonlSink } from './audit/jsonl.ts'
import { createSubscribers, type Subscribers } from './audit/subscribers.ts'
import { callTool } from './call/call-tool.ts'
import { compileSnapshot } from './compile/compile-snapshot.ts'
import { SkillInvocationError, toolError, toThrown } from './errors.ts'
import { checkScripts } from './executors/check-scripts.ts'
import { createVariables } from './executors/granted-variables.ts'
import { createPromptExecutor } from './executors/prompt.ts'
import { createScriptExecutor } from './executors/script.ts'
import { ensureStateFolder } from './files/state-folder.ts'
import { recoverImports } from './import/staging.ts'
import { createInterpreters } from './process/interpreters.ts'
import { type LoadedSkills, loadSkills } from './skills/load-skills.ts'
import { readBody } from './skills/read-body.ts'
import { renderBody } from './skills/render-body.ts'
import { toSkillId } from './skills/skill-name.ts'
import { defaultSources, toSource } from './skills/sources.ts'
import { nearest } from './text/nearest.ts'
import type {
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
  /** Names of environment variables that declared tools may read with `${env:NAME}`. Default: none. */
  readonly env?: readonly string[]
  /** Time limit of a call in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
}

/** A tool for those who prefer exceptions. */
export type ToolHandle = {
  readonly id: string
  /** Calls the tool; throws `SkillInvocationError` or one of its kinds when the call fails. */
  invoke(args?: unknown, options?: Omit<ToolCall, 'toolId' | 'args'>): Promise<Json>
}

export type Runtime = {
  /** The skills that can be used, by id. */
  listSkills(): Promise<readonly Skill[]>
  /** The skill's processed body. Throws `SkillInvocationError` when there is no such skill. */
  invokeSkill(name: string, args?: string): Promise<string>
  /** The tools that a skill's scripts give. Throws `SkillInvocationError` when there is no such skill. */
  getSkillTools(name: string): Promise<readonly Tool[]>
  /** All tools: for each skill its prompt and its scripts. */
  tools(): Promise<readonly Tool[]>
  /** Calls a tool. Never throws: a failure is a result. */
  call(call: ToolCall): Promise<ToolResult>
  /** A handle on a tool, bound when it is invoked. */
  getTool(id: string): ToolHandle
  /** Subscribes to events; returns how to stop. */
  readonly on: Subscribers['on']
  /** What became of every skill and file. */
  report(): Promise<Report>
  /** Ends running calls and writes the audit out. */
  close(): Promise<void>
}

/** Loads the metadata of all skills and gives the runtime. Throws `TypeError` on impossible options. */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const settings = readOptions(options)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const subscribers = createSubscribers()
  const prepare = () => ensureStateFolder(settings.stateFolder)
  const audit = settings.audit === false ? undefined : createJsonlSink(settings.audit, prepare)
  const emit = (event: RuntimeEvent) => {
    audit?.write(event)
    subscribers.emit(event)
  }

  const interpreters = createInterpreters(process.env)
  const variable = createVariables(options.env ?? [], process.env)
  const executors: readonly Executor[] = [
    createPromptExecutor({ render: renderSkill }),
    createScriptExecutor({
      workspace: settings.workspace,
      interpreters,
      hostEnv: process.env,
      outputFile,
    }),
  ] as readonly Executor[]

  for (const { path } of settings.sources) await recoverImports(path)
  const loaded = await loadSkills(settings.sources)
  let compiled: Promise<Snapshot> | undefined
  // Scripts are read at the first request for tools: a host that only wants prompts never pays for them.
  const snapshot = () => (compiled ??= compile(loaded))

  return {
    on: subscribers.on,
    listSkills: async () => [...loaded.skills.values()],
    invokeSkill: async (name, args = '') => renderSkill(findSkill(name), args),
    getSkillTools: async name => {
      const { id } = findSkill(name)
      return [...(await snapshot()).tools.values()].filter(tool => tool.skill === id && tool.executor.type !== 'prompt')
    },
    tools: async () => [...(await snapshot()).tools.values()],
    async report() {
      const current = await snapshot()
      const missing = await checkScripts(current, interpreters)
      return { ...current.report, diagnostics: [...current.report.diagnostics, ...missing] }
    },
    call,
    getTool: id => ({
      id,
      async invoke(args, rest) {
        const result = await call({ ...rest, toolId: id, args })
        if (!result.ok) throw toThrown(result)
        return result.data
      },
    }),
    async close() {
      closing.abort()
      await Promise.allSettled(running)
      await audit?.close()
    },
  }

  async function call(request: ToolCall): Promise<ToolResult> {
    const scope = { snapshot: await snapshot(), executors, closing: closing.signal, emit, variable }
    const promise = callTool(request, scope)
    running.add(promise)
    return promise.finally(() => running.delete(promise))
  }

  async function compile(skills: LoadedSkills): Promise<Snapshot> {
    const start = performance.now()
    const fresh = await compileSnapshot(skills, { timeoutMs: settings.timeoutMs })
    const { counts } = fresh.report
    emit({
      type: 'dynamic_tool.compile',
      time: new Date().toISOString(),
      traceId: fresh.id,
      status: counts.invalid > 0 ? 'error' : 'ok',
      latencyMs: Math.round(performance.now() - start),
      snapshot: fresh.id,
      counts,
    })
    return fresh
  }

  function findSkill(name: string): Skill {
    const skill = loaded.skills.get(name) ?? loaded.skills.get(toSkillId(name))
    if (skill) return skill
    const close = nearest(name, loaded.skills.keys())
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

function readOptions(options: RuntimeOptions) {
  const workspace = resolve(options.workspace ?? '.')
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    throw new TypeError(`workspace: ${workspace} is not a folder`)
  const timeoutMs = options.timeoutMs ?? 30_000
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) throw new TypeError(`timeoutMs: ${timeoutMs} is no time limit`)
  const stateFolder = resolve(workspace, options.stateFolder ?? '.skillwright')
  const usual =
    options.defaultSources === false ? [] : defaultSources({ workspace }).filter(one => existsSync(one.path))
  return {
    workspace,
    timeoutMs,
    stateFolder,
    audit: options.audit === false ? (false as const) : resolve(stateFolder, options.audit ?? 'audit.jsonl'),
    sources: [...usual, ...(options.sources ?? []).map(toSource)],
  }
}

/** What a timer can hold. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1
