// The same script, started in every way that there is: it must not see a difference, and neither must the caller.
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createInterpreters } from '../../src/process/interpreters.ts'
import { runProcess } from '../../src/process/run-process.ts'
import type { RunRequest } from '../../src/process/run-request.ts'
import { startNodeWorker } from '../../src/workers/node-worker.ts'
import { planWorker } from '../../src/workers/plan-worker.ts'
import { startPythonWorker } from '../../src/workers/python-worker.ts'
import type { Worker } from '../../src/workers/worker.ts'
import { makeFolder } from '../support/folders.ts'
import { CASES, type Case } from './cases.ts'
import { generateCases } from './generate-scripts.ts'

const PYTHON = (await createInterpreters(process.env).locate('python3'))!
const COMMANDS = { python: PYTHON, node: process.execPath, sh: '/bin/sh' }
const EXTENSIONS = { python: 'py', node: 'js', sh: 'sh' }

const DECLINED = { declined: true }

/** All scripts in these languages, those by hand and those that are generated. */
export const casesIn = (...languages: readonly Case['language'][]): readonly Case[] =>
  [...CASES, ...generateCases(60, 6)].filter(({ language }) => languages.includes(language))

/** Fails when any way of starting it shows. */
export async function expectSame(one: Case): Promise<void> {
  const request = prepare(one)
  const bare = await observe(request(), false)
  expect(await observe(request(), true)).toEqual({ ...bare, sandbox: 'bubblewrap' })
  if (one.language === 'sh') return
  const warm = await start(request())
  for (const worker of [warm, one.language === 'python' ? warm : await start(request())]) {
    await ready(worker)
    const ran = await observe(request(), true, worker)
    if (one.declined) expect(ran).toBe(DECLINED)
    else expect(ran).toEqual({ ...bare, sandbox: 'bubblewrap', start: 'warm' })
  }
}

function prepare({ language, source, extension, args = [], stdin, env, files = {} }: Case): () => RunRequest {
  const folder = makeFolder()
  const workspace = makeFolder()
  const script = join(folder, `main.${extension ?? EXTENSIONS[language]}`)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  // Half of a pair stands for a byte that is no UTF-8.
  writeFileSync(
    script,
    Buffer.from(
      source.replace('\udcff', 'ÿ'),
      source.includes('\udcff') || source.includes('latin-1') ? 'latin1' : 'utf8',
    ),
  )
  return () => ({
    command: COMMANDS[language],
    args: [script, ...args],
    cwd: workspace,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: '/nowhere',
      LANG: 'C.UTF-8',
      TZ: 'Europe/Vienna',
      PYTHONIOENCODING: 'utf-8',
      PYTHONDONTWRITEBYTECODE: '1',
      ...env,
    },
    ...(stdin !== undefined && { stdin }),
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    callId: randomUUID(),
    stdout: { keep: 1024 * 1024 },
    stderr: { keep: 1024 * 1024 },
    confinement: {
      read: [folder],
      write: [workspace],
      hide: [],
      protect: [],
      network: 'none',
      limits: { memoryMb: 1024, processes: 64, fileMb: 64, tempMb: 64 },
    },
    ...(language !== 'sh' && { warm: { interpreter: language, fixedArgs: 1, script } }),
  })
}

async function observe({ confinement, ...request }: RunRequest, isConfined: boolean, worker?: Worker): Promise<object> {
  let declined = false
  const run = { ...request, ...(isConfined && confinement && { confinement }) }
  const outcome = await (worker
    ? runProcess(run, async one => {
        const begun = await worker.begin(one)
        declined = !begun
        return begun ?? Promise.reject(new Error('declined'))
      })
    : runProcess(run))
  if (declined) return DECLINED
  const { end, stdout, stderr, ...rest } = outcome
  // A sandbox tells a signal as the number that a shell makes of it.
  return {
    ...rest,
    stdout: plain(stdout.text),
    stderr: plain(stderr.text),
    end: end.how === 'signalled' ? { how: 'exited', code: 128 + constants.signals[end.signal] } : end,
  }
}

/** Addresses and the numbers of processes are never the same twice. */
const plain = (text: string) => text.replace(/ at 0x[0-9a-f]+|(?<=^\(node:)\d+/gm, '')

async function start(request: RunRequest): Promise<Worker> {
  const plan = planWorker(request)!
  const worker = await (plan.interpreter === 'python' ? startPythonWorker : startNodeWorker)(plan, randomUUID())
  onTestFinished(worker.close)
  return worker
}

const ready = (worker: Worker) => expect.poll(worker.state, { timeout: 10_000, interval: 5 }).toBe('ready')
