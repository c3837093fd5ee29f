// Every tool of the example skills that runs a program gives the same outcome bare, sandboxed and warm.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createBinaryExecutor } from '../../src/executors/binary.ts'
import { createProgramRunner } from '../../src/executors/program-runner.ts'
import { createScriptExecutor } from '../../src/executors/script.ts'
import { createInterpreters } from '../../src/process/interpreters.ts'
import type { RunOutcome } from '../../src/process/run-request.ts'
import { createRunner } from '../../src/runner/create-runner.ts'
import type { ExecuteRequest, Json, Outcome } from '../../src/types.ts'
import { makeFolder, makeRuntime } from '../support/folders.ts'
import { until } from './support.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../examples/skills')
const TEXT = join(EXAMPLES, 'calculator', 'SKILL.md')

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
  ['file-processor.read_file', { path: '/no/such/file' }],
  ['file-processor.write_file', { data: { path: 'new.txt', content: 'written' } }],
  ['json-tools.format', { data: { b: 1, a: [2, 3] } }],
  ['json-tools.pick', { path: 'users.1.name', data: { users: [{ name: 'Ada' }, { name: 'Grace' }] } }],
  ['json-tools.pick', { path: 'nothing', data: {} }],
  ['pdf-processor.info', { file: join(EXAMPLES, 'pdf-processor', 'sample.pdf') }],
  ['text-stats.count', { file: TEXT }],
  ['text-stats.long-lines', { file: TEXT, limit: '100' }],
  ['release-notes.sort-changes', { data: ['feat: a', 'fix: b', 'docs: c'] }],
]

test('all tools of the examples that run programs are in the list', async () => {
  const runtime = await makeRuntime(EXAMPLES)
  const programs = (await runtime.tools()).filter(({ executor: { type } }) => type === 'script' || type === 'binary')
  expect(new Set(CALLS.map(([id]) => id))).toEqual(new Set(programs.map(({ id }) => id)))
})

test.each(CALLS)('%s %j', async (id, args) => {
  const runtime = await makeRuntime(EXAMPLES)
  const tool = (await runtime.tools()).find(one => one.id === id)!
  const skill = (await runtime.listSkills()).find(one => one.id === tool.skill)!
  const workspace = join(makeFolder(), 'workspace')
  const bare = await execute({ isConfined: false, isWarm: false })
  expect(bare.start).toBe('cold')
  const confined = await execute({ isConfined: true, isWarm: false })
  expect(confined).toEqual(bare)
  const canBeWarm = tool.executor.type === 'script' && /python|javascript/.test(tool.executor.language)
  if (!canBeWarm || ('inline' in tool.executor && tool.executor.inline !== undefined)) return
  const warm = await execute({ isConfined: true, isWarm: true })
  expect(warm).toEqual({ ...bare, start: 'warm' })

  async function execute({ isConfined, isWarm }: { readonly isConfined: boolean; readonly isWarm: boolean }) {
    const runner = createRunner({ spawnHelper: false, warmWorkers: isWarm })
    onTestFinished(runner.close)
    let ran: RunOutcome | undefined
    // The script, which for code of a declaration is a file of its own.
    const confine = (script: string) =>
      ({ read: [EXAMPLES, script], write: [workspace], hide: [], protect: [], network: 'none', limits: {} }) as const
    const interpreters = createInterpreters(process.env)
    const run = createProgramRunner({
      workspace,
      hostEnv: process.env,
      outputs: join(workspace, 'outputs'),
      run: async request => {
        ran = await runner.run({
          ...request,
          ...(isConfined && { confinement: confine(request.args[0] ?? workspace) }),
        })
        return ran
      },
    })
    const executor =
      tool.executor.type === 'script'
        ? createScriptExecutor({ run, interpreters })
        : createBinaryExecutor({ run, interpreters, cache: { get: () => Promise.reject(new Error('not needed')) } })
    const once = async () => {
      // The folder itself stays: one that is made anew is another one to a sandbox that runs already.
      mkdirSync(workspace, { recursive: true })
      for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true })
      writeFileSync(join(workspace, 'data.csv'), 'a,b\n1,2\n3,4\n')
      const outcome = (await executor.execute(requestOf() as never)) as Outcome
      return { outcome, start: ran?.start }
    }
    return isWarm ? until(once, ({ start }) => start === 'warm') : once()
  }

  function requestOf(): Omit<ExecuteRequest, 'callOther'> {
    const signal = new AbortController().signal
    const variable = () => ''
    return { tool, spec: tool.executor, skill, args, timeoutMs: 20_000, signal, callId: randomUUID(), variable }
  }
})
