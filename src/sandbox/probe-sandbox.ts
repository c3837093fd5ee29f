// What this machine can enforce: tried once, by doing it.
import { spawn } from 'node:child_process'
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs'
import { arch } from 'node:os'
import { delimiter, join } from 'node:path'
import { findCgroups } from './cgroup.ts'
import type { Confinement } from './confinement.ts'
import { canKeepDevices } from './device-nodes.ts'
import type { SandboxProbe } from './sandbox-probe.ts'
import { seccompFilter } from './seccomp.ts'
import { wrap } from './wrap.ts'

export type { SandboxProbe } from './sandbox-probe.ts'

type Bubblewrap = Extract<SandboxProbe, { kind: 'bubblewrap' }>

let probed: Promise<SandboxProbe> | undefined

/** Probed once per process. Never throws. */
export function probeSandbox(): Promise<SandboxProbe> {
  probed ??= probe()
  return probed
}

async function probe(): Promise<SandboxProbe> {
  if (process.platform === 'linux') return probeBubblewrap(process.env['PATH'] ?? '')
  if (process.platform === 'darwin') return probeSeatbelt()
  return {
    kind: 'none',
    why: `There is no sandbox for ${process.platform}.`,
    remedy: 'Use Linux, WSL 2 or a container.',
  }
}

/** Looks bubblewrap up in a `PATH` and runs it with all that we ask of it. */
export async function probeBubblewrap(searchPath: string): Promise<SandboxProbe> {
  const path = findProgram('bwrap', searchPath)
  if (path === undefined) return { kind: 'none', why: 'bubblewrap (bwrap) is not installed.', remedy: INSTALL }
  const version = (await run(path, ['--version'])).output.replace(/^bubblewrap\s*/, '').trim()

  const plain = describe(path, version, null)
  const cgroup = findCgroups()
  const best = cgroup ? describe(path, version, cgroup) : plain
  const tried = await tryOut(best)
  if (tried.ok) return best
  // What a group allows at its making it may still forbid at the joining.
  const again = cgroup ? await tryOut(plain) : tried
  if (again.ok) return plain
  return { kind: 'none', why: `bubblewrap does not work here: ${again.why}`, remedy: remedyFor(again.why) }
}

function describe(path: string, version: string, cgroup: Bubblewrap['cgroup']): Bubblewrap {
  const isRoot = process.getuid?.() === 0
  const processes = cgroup?.pids != null || !isRoot
  const memory = cgroup?.memory != null ? 'total' : 'each'
  const syscalls = seccompFilter() !== undefined
  const devices = canKeepDevices()
  return {
    kind: 'bubblewrap',
    path,
    version,
    cgroup,
    processes,
    memory,
    syscalls,
    devices,
    notes: [
      ...(processes
        ? []
        : [`The number of processes is not held, because root has no such limit: an ordinary user has. ${GROUPS}`]),
      ...(memory === 'total'
        ? []
        : [`Memory is held for each process; all together are only looked at now and then. ${GROUPS}`]),
      ...(syscalls ? [] : [`System calls are not filtered on ${arch()}.`]),
      ...(devices ? [] : ['Scripts of root can change device nodes such as /dev/null: run as an ordinary user.']),
    ],
  }
}

const LIMIT = { memoryMb: 512, fileMb: 1, processes: 32, tempMb: 1 }
const TRIAL: Confinement = { read: [], write: [], hide: [], protect: [], network: 'none', limits: LIMIT }

/** Runs a program in the sandbox and reads from inside that the limits are set. */
async function tryOut(
  probe: Bubblewrap,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly why: string }> {
  try {
    const program = { command: '/bin/sh', args: ['-c', 'cat /proc/self/limits'], cwd: '/', env: {} }
    const wrapped = wrap(probe, program, TRIAL)
    try {
      const { code, output, errors } = await run(wrapped.command, wrapped.args, wrapped.descriptors)
      if (code !== 0) return { ok: false, why: errors.trim() || `exit code ${code}` }
      const set = new RegExp(`^Max file size +${LIMIT.fileMb * 1024 * 1024} `, 'm').test(output)
      return set ? { ok: true } : { ok: false, why: '/bin/sh does not set limits as POSIX says.' }
    } finally {
      wrapped.dispose()
    }
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) }
  }
}

const INSTALL = 'Install it: `apt install bubblewrap`, `dnf install bubblewrap` or `apk add bubblewrap`.'
const GROUPS = 'Control groups that this process may write would hold it, as systemd gives with `Delegate=yes`.'

/** What to do about a bubblewrap that does not work. */
export function remedyFor(why: string, setting: (name: string) => string | undefined = readSetting): string {
  if (/unknown option/i.test(why)) return 'Install bubblewrap 0.8 or newer.'
  if (setting('kernel/unprivileged_userns_clone') === '0')
    return 'Allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`.'
  if (setting('user/max_user_namespaces') === '0')
    return 'Allow user namespaces: `sysctl user.max_user_namespaces=10000`.'
  if (setting('kernel/apparmor_restrict_unprivileged_userns') === '1')
    return 'AppArmor forbids user namespaces (Ubuntu 24 and newer): give /usr/bin/bwrap a profile with `userns,` (package apparmor-profiles: bwrap-userns-restrict), or `sysctl kernel.apparmor_restrict_unprivileged_userns=0`.'
  return 'In a container allow user namespaces and a fresh /proc: `docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`.'
}

function readSetting(name: string): string | undefined {
  try {
    return readFileSync(join('/proc/sys', name), 'utf8').trim()
  } catch {
    return undefined
  }
}

function probeSeatbelt(): SandboxProbe {
  const path = '/usr/bin/sandbox-exec'
  if (findProgram('sandbox-exec', '/usr/bin') === undefined)
    return {
      kind: 'none',
      why: `${path} is missing.`,
      remedy: 'Run it in a container or a virtual machine with Linux.',
    }
  return {
    kind: 'seatbelt',
    path,
    processes: false,
    memory: 'none',
    notes: [
      'Neither the number of processes nor their memory is held on macOS.',
      'A process that leaves the process group of its call may outlive it.',
    ],
  }
}

function findProgram(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(delimiter)) {
    try {
      const path = realpathSync(join(folder, name))
      accessSync(path, constants.X_OK)
      if (statSync(path).isFile()) return path
    } catch {
      // Not there: the next folder.
    }
  }
  return undefined
}

type Ran = { readonly code: number | null; readonly output: string; readonly errors: string }

function run(command: string, args: readonly string[], descriptors: readonly number[] = []): Promise<Ran> {
  return new Promise(resolve => {
    const child = spawn(command, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe', ...descriptors], timeout: 5000 })
    let output = ''
    let errors = ''
    child.stdout?.on('data', chunk => {
      output += chunk
    })
    child.stderr?.on('data', chunk => {
      errors += chunk
    })
    child.on('error', error => resolve({ code: null, output, errors: error.message }))
    child.on('close', code => resolve({ code, output, errors }))
  })
}
