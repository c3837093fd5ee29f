// What a caller may not use is neither listed, found, expanded nor called: one table for all surfaces.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDiscoveryTools, createLangchainTools } from '../src/adapters/langchain.ts'
import type { Caller, Runtime, Tool } from '../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from './support/folders.ts'

const MAIN = new URL('../dist/cli/main.js', import.meta.url).pathname
const teacher: Caller = { id: 't', roles: ['teacher'] }

/** Of each way to bind a tool one: a declared tool, a whole source, and what they bring: scripts, prompts, pipelines. */
const folder = () =>
  makeFolder({
    'skillwright.yaml':
      'default_sources: false\nsources:\n  - ./open\n  - { path: ./staff, name: staff, roles: [teacher] }\n',
    'open/notes/SKILL.md': skillMd('notes'),
    'open/notes/scripts/zebra.sh': '# Counts zebras.\necho zebra "$1"\n',
    'open/notes/tool-manifest.yaml': `tools:
  - { name: grade, description: Grades a marmoset., roles: [teacher], executor: { type: binary, path: echo, args_template: graded } }
  - { name: chain, description: A chain., executor: { type: pipeline, steps: [{ id: a, tool: grade }] } }
`,
    'staff/marmoset/SKILL.md': skillMd('marmoset', '', '# The marmoset body\n'),
    'staff/marmoset/scripts/feed.sh': '# Feeds the marmoset.\necho fed "$1"\n',
  })

async function runtimeOf(root: string): Promise<Runtime> {
  return makeRuntime(join(root, 'open'), {
    sources: [join(root, 'open'), { name: 'staff', path: join(root, 'staff'), roles: ['teacher'] }],
  })
}

type Surface = (runtime: Runtime, who: { readonly caller?: Caller }) => Promise<unknown>

const ids = (tools: readonly Tool[]) => tools.map(tool => tool.id)
const failure = (error: unknown) => String(error)
const outcome = ({
  ok,
  ...rest
}: {
  ok: boolean
  error?: { code: string; message: string; hints: unknown }
  data?: unknown
}) => (ok ? rest.data : rest.error)
const discover = (runtime: Runtime, who: { readonly caller?: Caller }) => runtime.discovery.session(who)

/** Surface → what it says; every answer to an outsider must be free of the bound tools. */
const SURFACES: Readonly<Record<string, Surface>> = {
  'library: tools': async (runtime, who) => ids(await runtime.tools(who)),
  'library: listSkills': async (runtime, who) => (await runtime.listSkills(who)).map(skill => skill.id),
  'library: invokeSkill': (runtime, who) => runtime.invokeSkill('marmoset', '', who).catch(failure),
  'library: getSkillTools': async (runtime, who) => [
    ids(await runtime.getSkillTools('notes', who)),
    await runtime.getSkillTools('marmoset', who).then(ids, failure),
  ],
  'library: getTool': (runtime, who) => runtime.getTool('marmoset.feed').invoke({}, who).catch(failure),
  'library: call': async (runtime, who) => outcome(await runtime.call({ toolId: 'notes.grade', ...who })),
  'library: call of a prompt': async (runtime, who) => outcome(await runtime.call({ toolId: 'marmoset', ...who })),
  'library: policyOf': async (runtime, who) => (await runtime.policyOf('notes.grade', who))?.tool,
  'library: review': (runtime, who) => runtime.review('marmoset', who).catch(failure),
  'library: review of an open skill': async (runtime, who) => (await runtime.review('notes', who)).programs,
  'discovery: list': (runtime, who) => discover(runtime, who).list({ limit: 50 }),
  'discovery: list with a query': (runtime, who) => discover(runtime, who).list({ query: 'feed an animal', limit: 50 }),
  'discovery: search': (runtime, who) =>
    discover(runtime, who).search_tool_by_category({ query: 'feed or grade', limit: 50 }),
  'discovery: search_nodes': (runtime, who) =>
    discover(runtime, who).search_nodes({ query: 'feed or grade', limit: 50 }),
  'discovery: expand': (runtime, who) => discover(runtime, who).expand_tool({ tool_id: 'notes.grade' }),
  'discovery: call': async (runtime, who) => {
    const session = discover(runtime, who)
    await session.expand_tool({ tool_id: 'marmoset.feed' })
    const { meta: _, ...answer } = await session.call_tool({ tool_id: 'marmoset.feed', args: {} })
    return answer
  },
  'hints of a mistyped name': async (runtime, who) => outcome(await runtime.call({ toolId: 'notes.grad', ...who })),
  'LangChain tools': async (runtime, who) => (await createLangchainTools(runtime, who)).map(tool => tool.name),
  'LangChain discovery': async (runtime, who) => {
    const tools = createDiscoveryTools(runtime, who)
    return tools.find(tool => tool.name === 'search_tool_by_category')!.invoke({ query: 'feed or grade' })
  },
  'a pipeline': async (runtime, who) => outcome(await runtime.call({ toolId: 'notes.chain', ...who })),
}

/** What an outsider typed themselves may be repeated to them. */
const ASKED = /"?notes\.grad"|Step a \(grade\)|There is no (?:tool|skill) "[\w.-]+"|feed (?:or grade|an animal)/g

test.each(Object.keys(SURFACES))('%s: an outsider gets no trace of it, a teacher gets it', async name => {
  const runtime = await runtimeOf(folder())
  const say = async (who: { caller?: Caller }) =>
    (JSON.stringify(await SURFACES[name]!(runtime, who)) ?? '').replaceAll('\\"', '"')
  for (const who of [{}, { caller: { id: 'o', roles: ['pupil'] } }])
    expect((await say(who)).replace(ASKED, '')).not.toMatch(/marmoset|grade|feed|graded/i)
  const insider = await say({ caller: teacher })
  expect(insider).toMatch(/marmoset|grade|fed|graded|echo/i)
  if (!name.startsWith('hints')) expect(insider).not.toMatch(/NOT_FOUND/)
})

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  list: ['list'],
  'list --json': ['list', '--json'],
  show: ['show', 'notes.grade'],
  call: ['call', 'marmoset.feed'],
  ls: ['ls', '--limit', '50'],
  search: ['search', 'feed', 'or', 'grade'],
  expand: ['expand', 'notes.grade'],
  skill: ['skill', 'marmoset'],
  policy: ['policy', '--tool', 'notes.grade'],
  review: ['review', 'marmoset'],
}

test.each(Object.entries(COMMANDS))('cli %s: an outsider gets no trace of it, a teacher gets it', (_, args) => {
  const cwd = folder()
  const run = (...more: string[]) => {
    const ran = spawnSync(process.execPath, [MAIN, ...args, ...more], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    return ran.stdout + ran.stderr
  }
  const asked = new RegExp(`${ASKED.source}|There is no tool "[\\w.]+"`, 'g')
  expect(run().replace(asked, '')).not.toMatch(/marmoset|grade|feed|graded/i)
  expect(run('--role', 'teacher')).toMatch(/marmoset|grade|fed/i)
})
