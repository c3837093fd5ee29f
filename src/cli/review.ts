import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importSkills } from '../import/import-skills.ts'
import { createRuntime, type Runtime } from '../runtime.ts'
import { cutText } from '../text/clean-text.ts'
import type { Named, Review } from '../trust/review.ts'
import { type CallerOptions, callerOf, runtimeOptions } from './config.ts'
import { bold, dim, green, print, printJson, red, table, yellow } from './output.ts'
import { known } from './trust.ts'

/** `skillwright review <skill>`: what a skill can do, before it may. Also of a folder, an archive or whatever can be imported. */
export async function review(options: CallerOptions, subject: string): Promise<number> {
  const isSource = /[/\\:]|\.(?:zip|skill|tgz|gz)$/.test(subject) && (existsSync(subject) || subject.includes('://'))
  const reviews = isSource ? await reviewSource(options, subject) : await reviewSkillNamed(options, subject)
  if (options.json) printJson(isSource ? reviews : reviews[0])
  else print(reviews.map(describe).join('\n\n'))
  return 0
}

async function reviewSkillNamed(options: CallerOptions, name: string): Promise<Review[]> {
  return withRuntime(await createRuntime(await runtimeOptions(options)), async runtime => [
    await known(() => runtime.review(name, callerOf(options))),
  ])
}

/** Imported to a place of its own, approved by nobody, and gone afterwards. */
async function reviewSource(options: CallerOptions, source: string): Promise<Review[]> {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-review-'))
  try {
    const into = join(folder, 'skills')
    const trustFile = join(folder, 'none.json')
    await importSkills(source, { into, all: true, trustFile: join(folder, 'pins.json') })
    const more = {
      ...(await runtimeOptions(options)),
      sources: [into],
      defaultSources: false,
      audit: false,
      trustFile,
    } as const
    return await withRuntime(await createRuntime({ ...more, policies: [] }), async runtime => {
      const reviews: Review[] = []
      for (const { id } of await runtime.listSkills()) reviews.push(await runtime.review(id))
      return reviews
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withRuntime<T>(runtime: Runtime, work: (runtime: Runtime) => Promise<T>): Promise<T> {
  try {
    return await work(runtime)
  } finally {
    await runtime.close()
  }
}

const PINS = {
  pinned: green('is what was approved'),
  changed: red('has changed since it was approved'),
  unpinned: yellow('was never approved'),
}

/** Names come from strangers; a terminal obeys control characters. */
const shown = (text: string): string => cutText(text, 120)

function describe(one: Review): string {
  const names = (list: readonly Named[]) =>
    list.map(({ name, how }) => `${shown(name)}${how === 'mentioned' ? ' (mentioned)' : ''}`)
  const list = (words: readonly string[]) => words.join(', ') || dim('none')
  const allowed = one.allowedTools?.map(({ tool, pattern }) =>
    shown(pattern === undefined ? tool : `${tool}(${pattern})`),
  )
  const rows = [
    ['folder', one.folder],
    ['content', PINS[one.pin]],
    ...(one.changes ?? []).slice(0, MAX_CHANGES).map(({ file, change }) => ['', `${change} ${shown(file)}`]),
    ['policy', `${one.policy}: ${one.because}`],
    ['hosts', list(names(one.hosts))],
    ['variables', list(names(one.env))],
    ['programs', list(one.programs.map(shown))],
    ['allowed-tools', allowed ? list(allowed) : dim('not restricted')],
    ['MCP servers', list(one.mcpServers.map(shown))],
    ['destructive', list(one.destructive.map(shown))],
    ['scripts', one.scripts.length === 0 ? dim('none') : String(one.scripts.length)],
  ]
  const scripts = one.scripts.map(({ file, language, interpreter, bytes, sha256 }) => [
    `  ${shown(file)}`,
    language,
    interpreter ?? red('no interpreter'),
    `${bytes} bytes`,
    dim(sha256.slice(0, 16)),
  ])
  return [bold(one.skill), table(rows), ...(scripts.length > 0 ? [table(scripts)] : [])].join('\n')
}

const MAX_CHANGES = 20
