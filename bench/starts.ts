// What a call costs, by the way its program is started: bare, with all that a call needs, in the sandbox, and warm.
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { minimalEnvironment } from '../src/process/environment.ts'
import { createInterpreters } from '../src/process/interpreters.ts'
import type { RunRequest } from '../src/process/run-request.ts'
import { createRunner } from '../src/runner/create-runner.ts'
import { median, quantile } from './measure.ts'
import { spawnBare } from './spawn-bare.ts'
import { printTable } from './table.ts'

const TEN = 'import argparse, json, re, datetime, pathlib, urllib.request, subprocess, csv, logging, hashlib\n'
const ROUNDS = 40
/** A caller thinks between two calls; the next Node is started meanwhile. */
const PAUSE_MS = 150

export async function benchStarts(): Promise<void> {
  const python = (await createInterpreters(process.env).locate('python3')) ?? 'python3'
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  const scripts = [
    { name: 'sh', command: '/bin/sh', file: 'a.sh', source: 'echo "$1"\n' },
    { name: 'Python, few imports', command: python, file: 'few.py', source: 'import sys\nprint(sys.argv[1])\n' },
    { name: 'Python, ten imports', command: python, file: 'ten.py', source: `${TEN}import sys\nprint(sys.argv[1])\n` },
    { name: 'Node', command: process.execPath, file: 'a.mjs', source: 'console.log(process.argv[2])\n' },
  ]
  const cold = createRunner({ spawnHelper: false, warmWorkers: false })
  const warm = createRunner({ spawnHelper: false })
  const rows: string[][] = []
  for (const { name, command, file, source } of scripts) {
    // One folder each: a worker loads what the scripts beside it import.
    const own = join(folder, file.replace('.', '-'))
    const script = join(own, file)
    mkdirSync(own)
    writeFileSync(script, source)
    const env = minimalEnvironment(process.env)
    const request = (isConfined: boolean): RunRequest => ({
      command,
      args: [script, 'hello'],
      cwd: workspace,
      env,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      callId: randomUUID(),
      stdout: { keep: 100_000 },
      stderr: { keep: 100_000 },
      ...(isConfined && { confinement: confinementOf(own, workspace) }),
      ...(name !== 'sh' && {
        warm: { interpreter: name === 'Node' ? 'node' : 'python', fixedArgs: 1, script } as const,
      }),
    })
    const contenders = {
      bare: () => spawnBare(command, [script, 'hello'], { env, cwd: workspace }),
      permissive: () => cold.run(request(false)),
      sandboxed: () => cold.run(request(true)),
      ...(name !== 'sh' && { warm: () => warm.run(request(true)) }),
    }
    rows.push(...(await measure(name, contenders)))
  }
  await Promise.all([cold.close(), warm.close()])
  rmSync(folder, { recursive: true })
  printTable(
    'A call by the way its program starts (targets: sandboxed at most 10 ms over bare; ten imports warm ≥ 7×)',
    [['', 'p50 ms', 'p95 ms', 'over bare ms', 'faster than sandboxed cold'], ...rows],
  )
}

async function measure(
  name: string,
  contenders: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<string[][]> {
  const times = new Map(Object.keys(contenders).map(way => [way, [] as number[]]))
  for (let round = -4; round < ROUNDS; round++)
    for (const [way, run] of Object.entries(contenders)) {
      if (way === 'warm') await sleep(round < 0 ? 1000 : PAUSE_MS)
      const start = performance.now()
      const ran = (await run()) as { start?: string } | undefined
      const isAsked = way !== 'warm' || ran?.start === 'warm'
      if (round >= 0 && isAsked) times.get(way)!.push(performance.now() - start)
    }
  const [bare, sandboxed] = [median(times.get('bare')!), median(times.get('sandboxed')!)]
  return [...times].map(([way, all]) => {
    const p50 = median(all)
    return [
      `${name}: ${LABELS[way]}${all.length < ROUNDS ? ` (${all.length} of ${ROUNDS} were)` : ''}`,
      p50.toFixed(1),
      quantile(all, 0.95).toFixed(1),
      way === 'bare' ? '' : (p50 - bare).toFixed(1),
      way === 'warm' ? `${(sandboxed / p50).toFixed(1)}×` : '',
    ]
  })
}

const LABELS: Readonly<Record<string, string>> = {
  bare: 'child_process.spawn (baseline)',
  permissive: 'permissive, cold',
  sandboxed: 'sandboxed, cold',
  warm: 'sandboxed, warm',
}

function confinementOf(folder: string, workspace: string) {
  return {
    read: [folder],
    write: [workspace],
    hide: [],
    protect: [],
    network: 'none',
    limits: { memoryMb: 512, processes: 64, fileMb: 64, tempMb: 64 },
  } as const
}
