// Groups of processes that the kernel holds to a number and to an amount of memory together. Both of its interfaces are
// served: the older one has a tree per controller, the newer one tree for all.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folders in which groups can be made; plain data. */
export type Cgroups = { readonly version: 1 | 2; readonly pids: string | null; readonly memory: string | null }

export type CgroupLimits = { readonly processes?: number | undefined; readonly memoryMb?: number | undefined }

export type CallGroup = {
  /** A process joins by writing 0 to these. */
  readonly joins: readonly string[]
  /** How many processes were killed for want of memory. */
  memoryKills(): number
  /** Takes the group away, as soon as its last process is gone. */
  remove(): void
}

const PREFIX = 'skillwright-'
let count = 0

/** Makes a group for one call. Throws what the system says when it cannot. */
export function createCallGroup({ version, pids, memory }: Cgroups, limits: CgroupLimits): CallGroup {
  const name = `${PREFIX}${process.pid}-${++count}`
  const wanted = [
    ...(pids !== null && limits.processes !== undefined ? [pids] : []),
    ...(memory !== null && limits.memoryMb !== undefined ? [memory] : []),
  ]
  const folders = [...new Set(wanted)].map(parent => join(parent, name))
  try {
    for (const folder of folders) {
      mkdirSync(folder)
      remember(folder)
    }
    if (pids !== null && limits.processes !== undefined)
      writeFileSync(join(pids, name, 'pids.max'), String(limits.processes))
    if (memory !== null && limits.memoryMb !== undefined) limitMemory(join(memory, name), version, limits.memoryMb)
  } catch (error) {
    removeFolders(folders)
    throw error
  }
  return {
    // One thread moves itself at once; moving a whole process waits for all processors, which may take 15 ms.
    joins: folders.map(folder => join(folder, version === 1 ? 'tasks' : 'cgroup.procs')),
    memoryKills: () => (memory === null ? 0 : readKills(join(memory, name), version)),
    remove: () => removeFolders(folders),
  }
}

function limitMemory(folder: string, version: 1 | 2, memoryMb: number): void {
  const bytes = String(memoryMb * 1024 * 1024)
  writeFileSync(join(folder, version === 1 ? 'memory.limit_in_bytes' : 'memory.max'), bytes)
  try {
    // Otherwise what does not fit goes to swap. The file is missing where swap is not counted.
    const [file, value] = version === 1 ? ['memory.memsw.limit_in_bytes', bytes] : ['memory.swap.max', '0']
    writeFileSync(join(folder, file!), value!, { flag: 'r+' })
  } catch {}
}

function readKills(folder: string, version: 1 | 2): number {
  try {
    const text = readFileSync(join(folder, version === 1 ? 'memory.oom_control' : 'memory.events'), 'utf8')
    return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0)
  } catch {
    return 0
  }
}

const present = new Set<string>()
const leaving = new Set<string>()
let retry: NodeJS.Timeout | undefined

/** A group can go when its last process is gone, which may take a moment more than the call. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of folders) leaving.add(folder)
  for (const folder of leaving) if (removed(folder)) forget(folder)
  if (leaving.size > 0 && !retry) retry = setTimeout(tryAgain, 20).unref()
}

function tryAgain(): void {
  retry = undefined
  removeFolders([])
}

function remember(folder: string): void {
  if (present.size === 0) process.once('exit', removeAll)
  present.add(folder)
}

function forget(folder: string): void {
  leaving.delete(folder)
  present.delete(folder)
  if (present.size === 0) process.off('exit', removeAll)
}

/** At the end of this process there is no later; but a killed process needs a moment to be gone. */
function removeAll(): void {
  for (let round = 0; round < 40; round++) {
    for (const folder of present) {
      killAll(folder)
      if (removed(folder)) present.delete(folder)
    }
    if (present.size === 0) return
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
  }
}

function killAll(folder: string): void {
  for (const pid of read(join(folder, 'cgroup.procs')).split('\n').map(Number)) {
    // 0 would be ourselves.
    if (pid <= 0) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended on its own.
    }
  }
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Where this process may make groups, by trying; null when nowhere. */
export function findCgroups(): Cgroups | null {
  const own = readOwn()
  const first = {
    version: 1,
    pids: usable(own.get('pids'), 'pids.max'),
    memory: usable(own.get('memory'), 'memory.limit_in_bytes'),
  } as const
  if (first.pids !== null || first.memory !== null) return first
  // In the newer interface a group with processes of its own cannot have limited groups below it; beside it they can be.
  const unified = own.get('')
  const parents = unified === undefined ? [] : [unified, dirname(unified)]
  for (const parent of parents) {
    const found = { version: 2, pids: usable(parent, 'pids.max'), memory: usable(parent, 'memory.max') } as const
    if (found.pids !== null || found.memory !== null) return found
  }
  return null
}

/** Controller (empty: the newer interface) → folder of the group that this process is in. */
function readOwn(): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const mounts = read('/proc/self/mountinfo').split('\n').map(readMount)
  for (const line of read('/proc/self/cgroup').split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) continue
    for (const controller of controllers.split(',')) {
      const mount = mounts.find(one =>
        controller === '' ? one?.type === 'cgroup2' : one?.type === 'cgroup' && one.options.includes(controller),
      )
      if (mount) places.set(controller, join(mount.at, mount.root === '/' ? path : path.replace(mount.root, '') || '/'))
    }
  }
  return places
}

function readMount(line: string): { type: string; at: string; root: string; options: readonly string[] } | undefined {
  const [, root, at, type, options] = /^\S+ \S+ \S+ (\S+) (\S+) .* - (\S+) \S+ (\S+)$/.exec(line) ?? []
  if (root === undefined || at === undefined || type === undefined || options === undefined) return undefined
  return { type, at, root, options: options.split(',') }
}

/** The folder, when a group can be made in it that has the wanted limit. */
function usable(folder: string | undefined, file: string): string | null {
  if (folder === undefined) return null
  sweepOld(folder)
  const trial = join(folder, `${PREFIX}${process.pid}-trial`)
  try {
    mkdirSync(trial)
    writeFileSync(join(trial, file), String(2 ** 20), { flag: 'r+' })
    return folder
  } catch {
    return null
  } finally {
    removed(trial)
  }
}

/** Empty groups of processes that were killed before they could take them away. */
function sweepOld(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : Number.NaN
      if (Number.isNaN(pid) || read(`/proc/${pid}/stat`) !== '') continue
      // Young ones may be of a process that we cannot see, in a container.
      if (Date.now() - statSync(join(folder, name)).mtimeMs > 60_000) removed(join(folder, name))
    }
  } catch {}
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
