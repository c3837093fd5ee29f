// The current snapshot, kept fresh: what a request asks for is looked at on disk first.
import type { LoadedSkills, SkillCache } from '../skills/load-skills.ts'
import type { CompileEvent, ReloadEvent, Skill, Snapshot, Tool, ToolStatus } from '../types.ts'
import type { CompileCache } from './compile-cache.ts'
import { bindSkills, compileSnapshot } from './compile-snapshot.ts'
import { writeArtifacts } from './write-artifacts.ts'

export type SnapshotsOptions = {
  /** Walks the sources; skills that are unchanged come from the cache. */
  readonly load: (cache: SkillCache) => Promise<LoadedSkills>
  readonly cache: CompileCache
  readonly staticTools: readonly Tool[]
  readonly dynamicRoles?: readonly string[]
  readonly emit: (event: CompileEvent | ReloadEvent) => void
  /** Takes secrets out of what is written. */
  readonly masked: <T>(value: T) => T
}

/** What became of the artifacts of a skill. */
export type WrittenSkill = {
  readonly skill: string
  readonly folder: string
  readonly status: 'written' | 'unchanged' | 'failed'
  /** Why it failed. */
  readonly reason?: string
}

export type Snapshots = {
  /** The skills as they are on disk now. Their scripts are not read. */
  skills(): Promise<LoadedSkills['skills']>
  /** A snapshot in which everything is as it is on disk now. */
  fresh(): Promise<Snapshot>
  /** Writes the artifacts of every skill beside it. */
  write(): Promise<readonly WrittenSkill[]>
  /** A snapshot in which this tool is as it is on disk now: much cheaper than looking at all skills. */
  freshFor(toolId: string): Promise<Snapshot>
}

export function createSnapshots(options: SnapshotsOptions): Snapshots {
  const skillCache: SkillCache = new Map()
  let loaded: LoadedSkills | undefined
  let current: Snapshot | undefined
  let running: Promise<Snapshot> | undefined
  return {
    async skills() {
      loaded = await options.load(skillCache)
      return bindSkills(loaded.skills, options.dynamicRoles)
    },
    fresh,
    async write() {
      const { skills, report } = await fresh()
      const shadowed = report.tools.filter(tool => tool.status === 'shadowed')
      return Promise.all([...skills.values()].map(skill => writeOne(skill, shadowed)))
    },
    async freshFor(toolId) {
      const tool = current?.tools.get(toolId)
      if (!current || !tool) return fresh()
      const skill = current.skills.get(tool.skill)
      return skill && options.cache.isStale(skill) ? fresh() : current
    },
  }

  async function writeOne(skill: Skill, shadowed: readonly ToolStatus[]): Promise<WrittenSkill> {
    const about = { skill: skill.id, folder: skill.folder }
    const own = shadowed.filter(tool => tool.id === skill.id || tool.id.startsWith(`${skill.id}.`))
    try {
      const isWritten = writeArtifacts(skill, options.masked(await options.cache.get(skill)), own)
      return { ...about, status: isWritten ? 'written' : 'unchanged' }
    } catch (error) {
      return { ...about, status: 'failed', reason: error instanceof Error ? error.message : String(error) }
    }
  }

  /** Requests at the same time share one look. */
  function fresh(): Promise<Snapshot> {
    running ??= compile().finally(() => {
      running = undefined
    })
    return running
  }

  async function compile(): Promise<Snapshot> {
    const start = performance.now()
    loaded = await options.load(skillCache)
    const next = await compileSnapshot({ ...options, loaded })
    const changed = current ? changedSkills(current, next) : undefined
    if (current && changed?.length === 0) return current
    current = next
    options.emit({
      time: new Date().toISOString(),
      traceId: next.id,
      sessionId: null,
      status: next.report.counts.invalid > 0 ? 'error' : 'ok',
      latencyMs: Math.round(performance.now() - start),
      snapshot: next.id,
      counts: next.report.counts,
      ...(changed ? { type: 'dynamic_tool.reload', skills: changed } : { type: 'dynamic_tool.compile' }),
    })
    return next
  }
}

/** Skills that came, went, or have other tools or other words about themselves. */
function changedSkills(before: Snapshot, after: Snapshot): string[] {
  const ids = new Set([...before.skills.keys(), ...after.skills.keys()])
  const toolsBefore = toolsBySkill(before)
  const toolsAfter = toolsBySkill(after)
  return [...ids].filter(
    id =>
      !isSameSkill(before.skills.get(id), after.skills.get(id)) ||
      !isSameList(toolsBefore.get(id) ?? [], toolsAfter.get(id) ?? []),
  )
}

function isSameSkill(a: Skill | undefined, b: Skill | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b))
}

/** Tools of an unchanged skill are the same objects, unless roles were added. */
function isSameList(a: readonly Tool[], b: readonly Tool[]): boolean {
  return a.length === b.length && a.every((tool, i) => tool === b[i] || JSON.stringify(tool) === JSON.stringify(b[i]))
}

function toolsBySkill(snapshot: Snapshot): Map<string, Tool[]> {
  const tools = new Map<string, Tool[]>()
  for (const tool of snapshot.tools.values()) {
    const list = tools.get(tool.skill)
    if (list) list.push(tool)
    else tools.set(tool.skill, [tool])
  }
  return tools
}
