// Runs the jobs that it reads from stdin, one after the other, with the runtime's own process runner, and tells how each ended.
// A program of its own, so that the same attacks can be made by another user.

import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

const load = file => import(pathToFileURL(join(process.argv[2], file)).href)
const { runProcess } = await load('process/run-process.js')
const { probeSandbox } = await load('sandbox/probe-sandbox.js')

const { jobs, spill } = JSON.parse(await text(process.stdin))
const sandbox = await probeSandbox()
const outcomes = []
for (const job of jobs) {
  const limits = { keep: 100 * 1024, file: { path: join(spill, 'output'), bytes: 1024 * 1024 } }
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  const began = performance.now()
  const ran = await runProcess({
    ...job,
    callId: `attack-${process.pid}-${outcomes.length}`,
    signal: new AbortController().signal,
    stdout: limits,
    stderr: limits,
    sandbox,
  })
  delay.disable()
  outcomes.push({
    name: job.name,
    end: ran.end.how === 'not-started' ? { how: 'not-started', why: ran.end.code } : ran.end,
    stdout: ran.stdout.text,
    stderr: ran.stderr.text,
    tookMs: performance.now() - began,
    delayMs: delay.percentile(99) / 1e6,
    writtenMb: takeAway(job.env.WS) / 1024 / 1024,
    residentMb: process.memoryUsage().rss / 1024 / 1024,
  })
}
process.stdout.write(JSON.stringify({ outcomes }))

/** What an attack has left in the workspace, in bytes; removed, so that the next one starts from none. */
function takeAway(folder) {
  const files = readdirSync(folder)
    .filter(name => /^(?:big|part)/.test(name))
    .map(name => join(folder, name))
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0)
  for (const file of files) rmSync(file)
  return size
}
