import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { descendantsOf } from '../../src/process/process-tree.ts'
import { runProcess } from '../../src/process/run-process.ts'
import type { RunOutcome, RunRequest } from '../../src/process/run-request.ts'
import { spawnProgram } from '../../src/process/spawn-program.ts'
import { createWorkers, type WorkersOptions } from '../../src/workers/create-workers.ts'
import { makeFolder } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'
import { childrenNow, type Prepared, prepare, requestOf, until } from './support.ts'

type Call = (prepared: Prepared, more?: Partial<RunRequest>) => Promise<RunOutcome>

function pool(options: WorkersOptions = {}): { call: Call; warm: Call; close(): Promise<void> } {
  const workers = createWorkers(options)
  onTestFinished(workers.close)
  const call: Call = (prepared, more) =>
    runProcess(requestOf(prepared, more), async one => (await workers.begin(one)) ?? spawnProgram(one))
  const warm: Call = (prepared, more) =>
    until(
      () => call(prepared, more),
      ({ start }) => start === 'warm',
    )
  return { call, warm, close: workers.close }
}

test.each(['python', 'node'] as const)(
  '%s: nothing is started ahead for a single call, but from the second on',
  async language => {
    const script = prepare(language, language === 'python' ? 'print("hi")' : 'console.log("hi")')
    const { call, warm } = pool()
    expect(await call(script)).toMatchObject({ start: 'cold', stdout: { text: 'hi\n' } })
    await sleep(300)
    expect(childrenNow()).toEqual([])
    expect(await call(script)).toMatchObject({ start: 'cold', stdout: { text: 'hi\n' } })
    expect(await warm(script)).toMatchObject({ start: 'warm', sandbox: 'bubblewrap', stdout: { text: 'hi\n' } })
    expect(await warm(script)).toMatchObject({ end: { how: 'exited', code: 0 }, stdout: { text: 'hi\n' } })
  },
)

test('a call that is not confined never starts anything ahead', async () => {
  const script = prepare('python', 'print(1)')
  const { call } = pool()
  const { confinement: _, ...bare } = requestOf(script)
  for (let i = 0; i < 3; i++) {
    const workers = createWorkers()
    expect(await workers.begin(bare)).toBeUndefined()
  }
  expect((await call(script)).start).toBe('cold')
  expect(childrenNow()).toEqual([])
})

test('a waiting worker holds nothing of a call: no argument, no variable, no input', async () => {
  const script = prepare('python', 'import sys, os\nprint(sys.argv[1], os.environ["TOKEN"], sys.stdin.read())')
  const { warm } = pool()
  const secret = {
    args: [script.script, 'argument-canary'],
    env: { PATH: '/usr/bin:/bin', TOKEN: 'variable-canary' },
    stdin: 'input-canary',
  }
  expect((await warm(script, secret)).stdout.text).toBe('argument-canary variable-canary input-canary\n')
  await sleep(100)
  const seen = descendantsOf(process.pid).map(({ pid }) =>
    ['cmdline', 'environ'].map(file => readFileSync(`/proc/${pid}/${file}`, 'latin1')).join(),
  )
  expect(seen.length).toBeGreaterThan(1)
  expect(seen.join()).not.toContain('canary')
})

const SEARCHES_ITS_MEMORY = `
import os, re, sys
if len(sys.argv) > 1:
    print(sys.argv[1], os.environ["TOKEN"], sys.stdin.read(), sys.argv[1][:7] + "output")
else:
    found = set()
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            start, end = (int(part, 16) for part in line.split()[0].split("-"))
            try:
                memory.seek(start)
                found.update(re.findall(rb"can[a]ry-[a-z]+", memory.read(end - start)))
            except (OSError, OverflowError, ValueError):
                pass
    print(sorted(found))
`

test('a script finds nothing of an earlier call in its memory: no argument, no variable, no input, no output', async () => {
  const script = prepare('python', SEARCHES_ITS_MEMORY)
  const { warm } = pool()
  const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere', LANG: 'C.UTF-8' }
  const first = { args: [script.script, 'canary-argument'], env: { ...env, TOKEN: 'canary-variable' } }
  const told = await warm(script, { ...first, stdin: 'canary-input' })
  expect(told.stdout.text).toBe('canary-argument canary-variable canary-input canary-output\n')
  await sleep(100)
  expect(await warm(script, { env, stdin: '' })).toMatchObject({ start: 'warm', stdout: { text: '[]\n' } })
})

const LEAVES_THINGS = `
import os, subprocess, sys
seen = [sorted(os.listdir(f)) for f in ("/tmp", "/dev/shm", os.environ["HOME"])]
others = [p for p in os.listdir("/proc") if p.isdigit() and int(p) not in (1, os.getpid(), os.getppid())]
print([name for names in seen for name in names if "left" in name], others)
for folder in ("/tmp", "/dev/shm", os.environ["HOME"]):
    os.makedirs(folder + "/left/deep")
    open(folder + "/left/deep/file", "w").close()
    os.symlink("/", folder + "/left/link")
    os.chmod(folder + "/left/deep", 0)
    os.chmod(folder + "/left", 0)
subprocess.Popen(["sh", "-c", "trap '' TERM; (setsid sleep 1000 &) ; sleep 1000"], start_new_session=True, env={})
`

test('what a call leaves in private folders and what it started is gone before the next', async () => {
  const script = prepare('python', LEAVES_THINGS)
  const { warm } = pool()
  for (let i = 0; i < 3; i++)
    expect(await warm(script)).toMatchObject({ stdout: { text: '[] []\n' }, stderr: { text: '' } })
  await expect.poll(() => childrenNow().filter(line => line.includes('sleep 1000'))).toEqual([])
})

test('what a call writes to the workspace stays, also when that lies in the temporary folder', async () => {
  const script = prepare('python', 'import os\nopen("kept%d" % len(os.listdir()), "w").close()')
  const { call, warm } = pool()
  await call(script)
  await warm(script)
  await warm(script)
  await sleep(100)
  expect(readdirSync(script.workspace).length).toBeGreaterThan(2)
})

test('chance is new in each call', async () => {
  const script = prepare(
    'python',
    'import random, uuid, secrets, tempfile, os\nprint(random.random(), random.Random().random(), uuid.uuid4(), secrets.token_hex(4), next(tempfile._get_candidate_names()), os.urandom(4).hex())',
  )
  const { warm } = pool()
  const [one, other] = [await warm(script), await warm(script)].map(({ stdout }) => stdout.text.trim().split(' '))
  expect(one).toHaveLength(6)
  for (const [i, value] of one!.entries()) expect(other![i]).not.toBe(value)
})

test.each([
  ['python', 'import time, sys\nprint("begun", flush=True)\ntime.sleep(float(sys.argv[1]))'],
  ['node', 'console.log("begun"); setTimeout(() => {}, 1000 * process.argv[2])'],
] as const)('%s: a timeout and a cancelled call end a warm call with all its processes', async (language, source) => {
  const script = prepare(language, source)
  const { call, warm, close } = pool()
  const args = (seconds: number) => ({ args: [script.script, String(seconds)] })
  await warm(script, args(0))
  await warm(script, args(0))
  const late = await warm(script, { ...args(60), timeoutMs: 500 })
  expect(late).toMatchObject({ end: { how: 'timeout' }, stdout: { text: 'begun\n' } })
  await warm(script, args(0))
  const cancelled = await until(
    () => call(script, { ...args(60), signal: AbortSignal.timeout(400) }),
    ({ start }) => start === 'warm',
  )
  expect(cancelled.end).toEqual({ how: 'cancelled' })
  await close()
  await expect.poll(childrenNow).toEqual([])
})

test.each([
  ['python', 'import signal, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(float(sys.argv[1]))'],
  ['node', 'process.on("SIGTERM", () => {}); setTimeout(() => {}, 1000 * process.argv[2])'],
] as const)('%s: a program with nothing else to do waits for the end of a warm call', async (language, source) => {
  const script = prepare(language, source)
  const { signal: _, ...request } = requestOf(script)
  const host = `
    const { createRunner } = await import(${JSON.stringify(resolve('dist/runner/create-runner.js'))})
    const runner = createRunner({ spawnHelper: false })
    const signal = new AbortController().signal
    const run = (seconds, timeoutMs = 5000) =>
      runner.run({ ...${JSON.stringify(request)}, args: [${JSON.stringify(script.script)}, seconds], signal, timeoutMs })
    for (let i = 0; i < 40 && (await run('0')).start !== 'warm'; i++) await new Promise(go => setTimeout(go, 150))
    for (let late; late?.start !== 'warm'; console.log(late.end.how)) late = await run('60', 400)`
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', host], { encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: expect.stringMatching(/^(?:timeout\n)+$/), status: 0 })
})

test('SIGTERM reaches the script before it is killed', async () => {
  const script = prepare(
    'python',
    'import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: (print("in order", flush=True), sys.exit(5)))\ntime.sleep(float(sys.argv[1]))',
  )
  const { warm } = pool()
  await warm(script, { args: [script.script, '0'] })
  const late = await warm(script, { args: [script.script, '60'], timeoutMs: 700 })
  expect(late).toMatchObject({ end: { how: 'timeout' }, stdout: { text: 'in order\n' } })
})

test('a script that is edited is run as it is now, and a folder that is replaced is seen', async () => {
  const script = prepare('python', 'print("old")')
  const { warm } = pool()
  await warm(script)
  writeFileSync(script.script, 'print("edited")')
  expect(await warm(script)).toMatchObject({ start: 'warm', stdout: { text: 'edited\n' } })
  renameSync(script.folder, `${script.folder}-old`)
  renameSync(makeFolder({ 'main.py': 'print("replaced")' }), script.folder)
  expect(await warm(script)).toMatchObject({ start: 'warm', stdout: { text: 'replaced\n' } })
})

test('a script cannot reach into the process that starts the next calls, and ending it ends only its own', async () => {
  const script = prepare(
    'python',
    `
import os, signal, sys
parent = os.getppid()
for name in ("environ", "mem", "maps", "fd/3"):
    try:
        print(name, open(f"/proc/{parent}/{name}", "rb").read(1))
    except OSError as error:
        print(name, type(error).__name__)
sys.stdout.flush()
if sys.argv[1:]:
    os.kill(parent, signal.SIGKILL)
    signal.pause()
`,
  )
  const { warm } = pool()
  const denied = 'environ PermissionError\nmem PermissionError\nmaps PermissionError\nfd/3 PermissionError\n'
  expect((await warm(script)).stdout.text).toBe(denied)
  // A cold start has another parent, which nothing inside can end: it only ends with its time, and is tried again.
  const killed = await warm(script, { args: [script.script, 'kill'], timeoutMs: 2000 })
  expect(killed).toMatchObject({ end: { how: 'exited', code: 137 } })
  expect((await warm(script)).stdout.text).toBe(denied)
})

const CHANGES_ITS_PARENT = `
import os, resource, sys
print(os.getpriority(os.PRIO_PROCESS, 0), resource.getrlimit(resource.RLIMIT_NOFILE), len(os.sched_getaffinity(0)))
print(os.listxattr("/tmp"), os.stat("/tmp").st_mtime > 1)
if sys.argv[1:]:
    parent = os.getppid()
    resource.prlimit(parent, resource.RLIMIT_NOFILE, (123, 456))
    os.setpriority(os.PRIO_PROCESS, parent, 7)
    os.sched_setaffinity(parent, {min(os.sched_getaffinity(0))})
    try:
        os.setxattr("/tmp", "user.kept", b"yes")
    except OSError:
        pass
    os.utime("/tmp", (1, 1))
`

test('what a script changes of the process that starts the next calls does not reach them', async () => {
  const script = prepare('python', CHANGES_ITS_PARENT)
  const { warm } = pool()
  const before = (await warm(script)).stdout.text
  expect(await warm(script, { args: [script.script, 'change'] })).toMatchObject({ end: { code: 0 } })
  expect((await warm(script)).stdout.text).toBe(before)
})

test('a worker that cannot clear away ends, and does not run the script once more', async () => {
  const script = prepare(
    'python',
    `
import os, sys
with open("log", "a") as log:
    log.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1:] == ["deep"]:
    os.chdir("/tmp")
    for _ in range(1200):
        os.mkdir("deep")
        os.chdir("deep")
`,
  )
  const { warm } = pool()
  const run = (name: string) => warm(script, { args: [script.script, name] })
  await run('plain')
  expect(await run('deep')).toMatchObject({ start: 'warm', end: { code: 0 } })
  await expect.poll(childrenNow).toEqual([])
  expect(readFileSync(join(script.workspace, 'log'), 'utf8')).not.toContain('\n\n')
})

test('memory and processes are held as in a cold start', async () => {
  const hungry = prepare('python', 'import sys\nx = bytearray(int(sys.argv[1]) * 2**20)\nprint(len(x))')
  const { warm } = pool()
  expect(await warm(hungry, { args: [hungry.script, '10'] })).toMatchObject({ end: { code: 0 } })
  expect((await warm(hungry, { args: [hungry.script, '2000'] })).end).not.toMatchObject({ code: 0 })
  const forks = prepare(
    'python',
    'import os, time\nn = 0\ntry:\n    while n < 300:\n        if os.fork() == 0:\n            time.sleep(20)\n            os._exit(0)\n        n += 1\nexcept OSError:\n    pass\nprint(n < 80, flush=True)\nos._exit(0)',
  )
  for (let i = 0; i < 2; i++) expect((await warm(forks)).stdout.text).toBe('True\n')
})

test('a busy worker leaves other calls to a cold start', async () => {
  const script = prepare('python', 'import time, sys\ntime.sleep(float(sys.argv[1]))')
  const { call, warm } = pool()
  await warm(script, { args: [script.script, '0'] })
  const both = await until(
    () => Promise.all([0.3, 0].map(seconds => call(script, { args: [script.script, String(seconds)] }))),
    ([first]) => first!.start === 'warm',
  )
  expect(both.map(({ start, end }) => [start, end])).toEqual([
    ['warm', { how: 'exited', code: 0 }],
    ['cold', { how: 'exited', code: 0 }],
  ])
})

test('there are never more than the given number, and none stays for long', async () => {
  const { call, warm } = pool({ most: 2, idleMs: 1500 })
  const scripts = Array.from({ length: 4 }, (_, i) => prepare('python', `print(${i})`))
  for (const script of scripts) await warm(script)
  await sleep(200)
  const servers = () => childrenNow().filter(line => /^\S*python\S* \S+main\.py$/.test(line))
  expect(servers()).toHaveLength(2)
  expect(await call(scripts[3]!)).toMatchObject({ start: 'warm' })
  await expect.poll(childrenNow, { timeout: 5000 }).toEqual([])
})

test('arguments that a command line cannot hold fail as they do in a cold start', async () => {
  const script = prepare('python', 'print("ok")')
  const { warm, call } = pool()
  await warm(script)
  expect((await call(script, { args: [script.script, 'a\0b'] })).end).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
  expect((await call(script, { args: [script.script, 'x'.repeat(200_000)] })).end).toMatchObject({ code: 'E2BIG' })
  expect(await warm(script)).toMatchObject({ stdout: { text: 'ok\n' } })
})
