// A small world to attack: a hostile skill, another one, a home with keys, a workspace with settings, and a host that listens.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { arch, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Confinement } from '../../src/sandbox/confinement.ts'
import type { Limits } from '../../src/types.ts'
import type { Attack } from './attacks.ts'
import { confinementOf, type PolicyName } from './policies.ts'

export const USERS = ['root', 'nobody'] as const
export type User = (typeof USERS)[number]
const NOBODY = 65534

export type World = {
  readonly base: string
  readonly files: Readonly<Record<string, string>>
  readonly limits: Limits
  /** Which listeners of the host were reached. */
  readonly reached: ReadonlySet<string>
  processesWith(text: string): readonly string[]
  run(attacks: readonly Attack[], options?: { readonly confined?: boolean }): Promise<readonly AttackOutcome[]>
  /** Processes that have run attacks. */
  readonly hosts: readonly number[]
  close(): void
}

export type AttackOutcome = {
  readonly name: string
  readonly end: { readonly how: string; readonly code?: number; readonly what?: string }
  readonly stdout: string
  readonly stderr: string
  readonly delayMs: number
  readonly residentMb: number
  /** What it left in the workspace. */
  readonly writtenMb: number
}

const FILES = {
  'home/.ssh/id_ed25519': 'CANARY key\n',
  'outside/victim.txt': 'CANARY victim\n',
  'skills/evil/SKILL.md': '---\nname: evil\ndescription: Does evil.\n---\n',
  'skills/other/SKILL.md': '---\nname: other\ndescription: CANARY of another skill.\n---\n',
  'workspace/skillwright.json': '{}\n',
  'workspace/settings/policy.json': '{}\n',
  'workspace/.skillwright/audit.jsonl': '{"event":1}\n',
}

/** Everything belongs to the user who attacks, so that only the sandbox stands between. */
export async function createWorld(user: User, policy: PolicyName): Promise<World> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'skillwright-attack-')))
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(base, name)), { recursive: true })
    writeFileSync(join(base, name), content)
  }
  const scripts = join(base, 'skills/evil/scripts')
  const workspace = join(base, 'workspace')
  mkdirSync(scripts)
  mkdirSync(join(base, 'spill'))
  // The user of the attack cannot read the folder of the project.
  for (const room of ['process', 'sandbox', 'files', 'text', 'types.js'])
    cpSync(resolve(import.meta.dirname, '../../dist', room), join(base, 'dist', room), { recursive: true })
  writeFileSync(join(base, 'dist/package.json'), '{"type":"module"}')
  cpSync(join(import.meta.dirname, 'harness.mjs'), join(base, 'harness.mjs'))

  const listeners = await listen(base, workspace)
  if (user === 'nobody') giveTo(base, NOBODY)
  chmodSync(base, 0o755)
  const victim = start(user, ['sleep', '300'], {})
  const confinement = confinementOf(policy, { skill: join(base, 'skills/evil'), workspace })
  const hosts: number[] = []

  return {
    base,
    files: FILES,
    limits: confinement.limits,
    reached: listeners.reached,
    hosts,
    processesWith,
    async run(attacks, { confined = true } = {}) {
      for (const { file, script } of attacks) writeFileSync(join(scripts, file), script, { mode: 0o755 })
      const jobs = attacks.map(attack => job(attack, confined ? confinement : undefined))
      const host = { PATH: '/usr/local/bin:/usr/bin:/bin', HOST_SECRET: 'CANARY of the host' }
      // As a shell leaves one open that wrote `exec 40<folder`.
      const open = openSync(join(base, 'outside'), 'r')
      const harness = start(user, [nodeFor(user), join(base, 'harness.mjs'), join(base, 'dist')], host, open)
      closeSync(open)
      harness.stdin!.end(JSON.stringify({ jobs, spill: join(base, 'spill') }))
      hosts.push(harness.pid!)
      return (JSON.parse(await outputOf(harness)) as { outcomes: AttackOutcome[] }).outcomes
    },
    close() {
      victim.kill('SIGKILL')
      listeners.close()
      rmSync(base, { recursive: true, force: true })
    },
  }

  function job({ name, file, timeoutMs = 10_000 }: Attack, confined: Confinement | undefined) {
    const command = { sh: '/bin/sh', pl: '/usr/bin/perl', py: '/usr/bin/python3' }[file.split('.').at(-1)!]
    const env = {
      ...{ PATH: '/usr/bin:/bin', HOME: join(base, 'home'), BASE: base, WS: workspace, VICTIM: String(victim.pid) },
      ...{ PTRACE: arch() === 'arm64' ? '117' : '101', ...listeners.env },
    }
    return {
      name,
      command,
      args: [join(scripts, file)],
      cwd: scripts,
      env,
      timeoutMs,
      ...(confined && { confinement: confined }),
    }
  }
}

async function listen(base: string, workspace: string) {
  const reached = new Set<string>()
  const abstract = `skillwright-attack-${process.pid}-${Date.now()}`
  const serve = (kind: string, where: { port: number; host: string } | { path: string }) =>
    new Promise<Server>(done => {
      const server = createServer(socket => {
        reached.add(kind)
        socket.on('error', () => {}).destroy()
      }).listen(where, () => done(server))
    })
  const tcp = await serve('tcp', { port: 0, host: '127.0.0.1' })
  const others = await Promise.all([
    serve('abstract', { path: `\0${abstract}` }),
    serve('workspace', { path: join(workspace, 's.sock') }),
    serve('outside', { path: join(base, 'outside/s.sock') }),
  ])
  const udp = createSocket('udp4').on('message', () => reached.add('udp'))
  await new Promise<void>(done => udp.bind(0, '127.0.0.1', done))
  return {
    reached,
    env: {
      TCP_PORT: String((tcp.address() as { port: number }).port),
      UDP_PORT: String(udp.address().port),
      ABSTRACT: abstract,
    },
    close() {
      udp.close()
      for (const server of [tcp, ...others]) server.close()
    },
  }
}

function start(
  user: User,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  open?: number,
): ChildProcess {
  const [program = '', ...args] = [...as(user), ...command]
  const more = open === undefined ? [] : [...Array<'ignore'>(37).fill('ignore'), open]
  return spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit', ...more], cwd: '/' })
}

const as = (user: User): readonly string[] =>
  user === 'root' ? [] : ['/usr/bin/setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']

/** The Node that runs the tests may lie where only root can read. */
function nodeFor(user: User): string {
  const works = (node: string) => {
    const [program = '', ...args] = [...as(user), node, '--version']
    return spawnSync(program, args).status === 0
  }
  return [process.execPath, '/usr/bin/node', '/usr/local/bin/node'].find(works) ?? process.execPath
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout!) output += chunk
  return output
}

function giveTo(path: string, uid: number): void {
  const found = lstatSync(path)
  chownSync(path, uid, uid)
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), uid)
}

/** Living processes whose command line or environment holds a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return ['cmdline', 'environ'].some(file => readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text))
    } catch {
      return false
    }
  })
}
