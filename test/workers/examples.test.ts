// Every tool of the example skills that runs a program gives the same result bare, sandboxed and warm.
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/index.ts'
import type { Json } from '../../src/types.ts'
import { makeRuntime } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'
import { until } from './support.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../examples/skills')
const FILES = { 'data.csv': 'a,b\n1,2\n3,4\n', 'text.txt': `${'long '.repeat(40)}\nshort\n` }

type Args = Readonly<Record<string, Json>>
const CALLS: readonly (readonly [string, Args])[] = [
  ['calculator.add', { number: ['0.1', '0.2', '40'] }],
  ['calculator.add', { number: ['one'] }],
  ['calculator.multiply', { number: ['6', '7'] }],
  ['data-plugin:csv.summary', { file: 'data.csv' }],
  ['data-plugin:csv.summary', { file: 'missing.csv' }],
  ['declared.words', { text: 'one two three' }],
  ['declared.hash', { text: 'ü' }],
  ['declared.length', { items: [1, 2, 3] }],
  ['file-processor.read_file', { path: 'data.csv' }],
  ['file-processor.read_file', { path: 'no-such-file' }],
  ['file-processor.write_file', { data: { path: 'new.txt', content: 'written' } }],
  ['json-tools.format', { data: { b: 1, a: [2, 3] } }],
  ['json-tools.pick', { path: 'users.1.name', data: { users: [{ name: 'Ada' }, { name: 'Grace' }] } }],
  ['json-tools.pick', { path: 'nothing', data: {} }],
  ['pdf-processor.info', { file: join(EXAMPLES, 'pdf-processor', 'sample.pdf') }],
  ['text-stats.count', { file: 'text.txt' }],
  ['text-stats.long-lines', { file: 'text.txt', limit: '100' }],
  ['release-notes.sort-changes', { data: ['feat: a', 'fix: b', 'docs: c'] }],
]

test('all tools of the examples that run programs are in the list', async () => {
  const runtime = await makeRuntime(EXAMPLES)
  const programs = (await runtime.tools()).filter(({ executor: { type } }) => type === 'script' || type === 'binary')
  expect(new Set(CALLS.map(([id]) => id))).toEqual(new Set(programs.map(({ id }) => id)))
})

let permissive: Started
let cold: Started
let balanced: Started
beforeAll(async () => {
  permissive = await start({ policy: 'permissive' })
  cold = await start({ policy: 'balanced', warmWorkers: false })
  balanced = await start({ policy: 'balanced' })
})
afterAll(async () => {
  for (const { close, workspace } of [permissive, cold, balanced]) {
    await close()
    rmSync(workspace, { recursive: true, force: true })
  }
})

test.each(CALLS)('%s %j', async (toolId, args) => {
  const bare = await call(permissive)
  expect(bare.ranUnder).toEqual({ policy: 'permissive', sandbox: 'none', start: 'cold' })
  const sandboxed = await call(cold)
  expect(sandboxed).toEqual({ ...bare, ranUnder: { policy: 'balanced', sandbox: 'bubblewrap', start: 'cold' } })

  const { executor } = (await balanced.findTool(toolId))!
  if (executor.type !== 'script' || !/python|javascript/.test(executor.language) || executor.inline !== undefined)
    return
  const warm = await until(
    () => call(balanced),
    ({ ranUnder }) => ranUnder?.start === 'warm',
  )
  expect(warm).toEqual({ ...bare, ranUnder: { policy: 'balanced', sandbox: 'bubblewrap', start: 'warm' } })

  async function call(runtime: Started) {
    for (const name of readdirSync(runtime.workspace))
      if (name !== '.skillwright') rmSync(join(runtime.workspace, name), { recursive: true })
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(runtime.workspace, name), text)
    const { meta, ...result } = await runtime.call({ toolId, args })
    const { ranUnder, exitCode, stderr } = meta
    return { ...result, ranUnder, exitCode, stderr }
  }
})

type Started = Runtime & { readonly workspace: string }

async function start(options: RuntimeOptions): Promise<Started> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'skillwright-examples-')))
  return { ...(await createRuntime({ sources: [EXAMPLES], defaultSources: false, ...options, workspace })), workspace }
}
