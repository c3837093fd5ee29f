import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

async function run(script: string, options: { name?: string; timeoutMs?: number } = {}) {
  const workspace = makeFolder()
  const name = options.name ?? 'x.sh'
  const runtime = await makeRuntime(makeFolder({ 's/SKILL.md': skillMd('s'), [`s/scripts/${name}`]: script }), {
    workspace,
  })
  await runtime.tools()
  const start = performance.now()
  const result = await runtime.call({ toolId: 's.x', ...(options.timeoutMs && { timeoutMs: options.timeoutMs }) })
  return { result, workspace, took: performance.now() - start }
}

/** Living processes whose command line holds a text; zombies have none. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}

test('a background child that ignores SIGTERM and holds stdout is gone within 2 s of a 1 s timeout', async () => {
  const mark = `7${Date.now()}`
  const { result, took } = await run(
    `(trap '' TERM; sleep ${mark}) &\ntrap '' TERM\necho started\nsleep ${mark}\nsleep ${mark}\n`,
    { timeoutMs: 1000 },
  )
  expect(result).toMatchObject({ error: { code: 'SCRIPT_TIMEOUT' }, meta: { exitCode: 124 } })
  expect(took).toBeLessThan(2000)
  expect(processesWith(mark)).toEqual([])
})

test('a daemon that left the process group is ended at the timeout too', async () => {
  const mark = `8${Date.now()}`
  const { result } = await run(`setsid sh -c "trap '' TERM; sleep ${mark}" &\nsleep ${mark}\n`, { timeoutMs: 500 })
  expect(result).toMatchObject({ error: { code: 'SCRIPT_TIMEOUT' } })
  expect(processesWith(mark)).toEqual([])
})

test('a script that ends while its child holds stdout answers at once, and the child is gone', async () => {
  const mark = `9${Date.now()}`
  const { result, took } = await run(`sleep ${mark} &\nsetsid sleep ${mark} &\necho done\n`)
  expect(result).toMatchObject({ ok: true, data: 'done' })
  expect(took).toBeLessThan(3000)
  expect(processesWith(mark)).toEqual([])
})

test('2 GB of stdout: 100 KB kept, the file capped, memory flat', async () => {
  const before = process.memoryUsage().rss
  const { result, workspace } = await run(`perl -e '$x = "a" x 65536; syswrite(STDOUT, $x) for 1..32768'\necho end`, {
    timeoutMs: 120_000,
  })
  expect(result.ok && String(result.data).length).toBeLessThan(103_000)
  expect(result.ok && result.data).toMatch(
    /^a+\n\[… \d+ of 2147483652 bytes left out here; the first 67108864 bytes are in .*\n[\s\S]*end$/,
  )
  expect(statSync(result.meta.outputFile!).size).toBe(64 * 1024 * 1024)
  expect(result.meta.outputFile).toContain(join(workspace, '.skillwright', 'outputs'))
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
}, 150_000)

test('output just over the limit keeps head and tail whole, also where a character is cut', async () => {
  const { result } = await run('print("ü" * 60000)', { name: 'x.py' })
  const text = String(result.ok && result.data)
  expect(text).not.toContain('\uFFFD')
  expect(text).toContain('bytes left out here; the whole is in')
  expect(readFileSync(result.meta.outputFile!, 'utf8')).toBe(`${'ü'.repeat(60000)}\n`)
})

test('invalid UTF-8 is replaced, not thrown on', async () => {
  const { result } = await run("printf 'a\\377b'")
  expect(result).toMatchObject({ ok: true, data: 'a\uFFFDb' })
})

test('a script that does not read its input is no error', async () => {
  const runtime = await makeRuntime(
    makeFolder({ 's/SKILL.md': skillMd('s'), 's/x.sh': 'exec 0<&-; sleep 0.1; echo ok' }),
  )
  expect(await runtime.call({ toolId: 's.x', args: { data: 'x'.repeat(5_000_000) } })).toMatchObject({
    ok: true,
    data: 'ok',
  })
})

test('a script that waits for input gets none and ends', async () => {
  expect((await run('cat; echo end')).result).toMatchObject({ ok: true, data: 'end' })
})

test('a script killed by a signal says so', async () => {
  const { result } = await run('kill -SEGV $$')
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'SCRIPT_FAILED', message: expect.stringContaining('SIGSEGV') },
    meta: { exitCode: 139 },
  })
})

test('a missing interpreter says what to install', async () => {
  const { result } = await run('#!/usr/bin/env no-such-interpreter\n', { name: 'x' })
  expect(result).toMatchObject({
    error: { code: 'INTERPRETER_MISSING', hints: ['Install no-such-interpreter, or put it on the PATH.'] },
  })
})

test('scripts with Windows line ends in their first line still find their interpreter', async () => {
  expect((await run('#!/usr/bin/env python3\r\nprint(1)\r\n', { name: 'x' })).result).toMatchObject({
    ok: true,
    data: '1',
  })
})

test('a daemon that a script leaves behind ends with the call', async () => {
  const mark = `8${Date.now()}`
  const { result } = await run(`setsid sleep ${mark} >/dev/null 2>&1 </dev/null &\necho ok\n`)
  expect(result).toMatchObject({ ok: true, data: 'ok' })
  await expect.poll(() => processesWith(mark)).toEqual([])
})

test('a child that drops its environment and its group ends at the timeout', async () => {
  const mark = `9${Date.now()}`
  await run(`env -i setsid sleep ${mark} &\nsleep ${mark}\n`, { timeoutMs: 300 })
  expect(processesWith(mark)).toEqual([])
})
