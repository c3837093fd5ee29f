// What a skill can do, before it may: read from its files and declarations, nothing is run.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { locateScript } from '../files/locate-script.ts'
import type { Interpreters } from '../process/interpreters.ts'
import { cutText } from '../text/clean-text.ts'
import type { AllowedTool, Language, ScriptSpec, Skill, Tool } from '../types.ts'
import { mentionedHosts, mentionedVariables } from './mentions.ts'
import type { Pin } from './trust.ts'

export type Review = {
  readonly skill: string
  readonly folder: string
  readonly source: string
  readonly policy: string
  /** Which rule the policy comes from, in words. */
  readonly because: string
  readonly pin: Pin['state']
  /** Files that are not what was approved; absent unless the skill has changed. */
  readonly changes?: NonNullable<Pin['changes']>
  readonly scripts: readonly ReviewedScript[]
  readonly hosts: readonly Named[]
  readonly env: readonly Named[]
  /** Programs that it runs or needs. */
  readonly programs: readonly string[]
  /** Absent when the skill does not restrict its tools. */
  readonly allowedTools?: readonly AllowedTool[]
  readonly mcpServers: readonly string[]
  /** Tools that a declaration calls destructive. */
  readonly destructive: readonly string[]
}

/** `declared`: a declaration names it; `mentioned`: it only stands in a script, where anything could be put together. */
export type Named = { readonly name: string; readonly how: 'declared' | 'mentioned' }

export type ReviewedScript = {
  readonly file: string
  readonly language: Language
  /** Null when none is installed. */
  readonly interpreter: string | null
  readonly bytes: number
  readonly sha256: string
}

const MAX_BYTES = 4 * 1024 * 1024

export type ReviewParts = {
  readonly skill: Skill
  /** The skill's own. */
  readonly tools: readonly Tool[]
  readonly pin: Pin
  readonly policy: string
  readonly because: string
  readonly interpreters: Interpreters
}

/** Never throws: a script that cannot be read is shown as empty. */
export async function reviewSkill({ skill, tools, pin, policy, because, interpreters }: ReviewParts): Promise<Review> {
  const specs = new Map(
    tools.flatMap(({ executor }) => (executor.type === 'script' ? [[executor.file, executor]] : [])),
  )
  const texts = new Map([...specs].map(([file, spec]) => [file, textOf(spec, skill)]))
  const scripts: ReviewedScript[] = []
  for (const [file, spec] of specs) scripts.push(await about(file, spec))
  const code = [...texts.values()].map(bytes => bytes.subarray(0, MAX_BYTES).toString('utf8'))
  return {
    skill: skill.id,
    folder: skill.folder,
    source: skill.source,
    policy,
    because,
    pin: pin.state,
    ...(pin.changes && { changes: pin.changes }),
    scripts,
    hosts: named(tools.flatMap(declaredHosts), code.flatMap(mentionedHosts)),
    env: named(
      tools.flatMap(tool => tool.env ?? []),
      code.flatMap(mentionedVariables),
    ),
    programs: unique(tools.flatMap(programsOf)),
    ...(skill.allowedTools && { allowedTools: skill.allowedTools }),
    mcpServers: unique(tools.flatMap(({ executor }) => (executor.type === 'mcp' ? [executor.server] : []))),
    destructive: tools.filter(tool => tool.annotations?.destructive).map(tool => tool.id),
  }

  async function about(file: string, spec: ScriptSpec): Promise<ReviewedScript> {
    const bytes = texts.get(file)!
    const found = await interpreters.find(spec)
    return {
      file,
      language: spec.language,
      interpreter: found.found ? found.command : null,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
  }
}

function textOf(spec: ScriptSpec, { folder }: Skill): Buffer {
  if (spec.inline !== undefined) return Buffer.from(spec.inline)
  const located = locateScript(folder, spec.file)
  try {
    return located.ok ? readFileSync(located.path) : Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0)
  }
}

function declaredHosts({ executor }: Tool): string[] {
  if (executor.type === 'binary' && 'url' in executor.program) return hostOf(executor.program.url)
  return executor.type === 'http' ? hostOf(executor.url) : []
}

/** What stands between the scheme and the path, templates and all. */
function hostOf(url: string): string[] {
  const host = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]
  return [cutText(host ?? url, 100)]
}

function programsOf({ executor, reading }: Tool): string[] {
  const needed = (reading?.requirements ?? []).filter(one => one.kind === 'program').map(one => one.name)
  return executor.type === 'binary' && 'path' in executor.program ? [executor.program.path, ...needed] : needed
}

function named(declared: readonly string[], mentioned: readonly string[]): Named[] {
  const first = unique(declared)
  const second = unique(mentioned).filter(name => !first.includes(name))
  return [
    ...first.map(name => ({ name, how: 'declared' as const })),
    ...second.map(name => ({ name, how: 'mentioned' as const })),
  ]
}

const unique = (values: readonly string[]): string[] => [...new Set(values)]
