// Looks at what a running program uses, where the kernel does not hold it: memory of all its processes together, when there is
// no group for them, and bytes written to disk.
import { readdirSync, readFileSync } from 'node:fs'
import type { Confinement } from '../sandbox/confinement.ts'
import type { UsableSandbox } from '../sandbox/sandbox-probe.ts'
import { watchFolders } from './watch-folders.ts'

const INTERVAL_MS = 100
const MIB = 1024 * 1024
const PAGE = 4096

/**
 * Tells once which limit was passed, as `512 MiB of memory`. Returns how to stop. Linux only; elsewhere it does nothing.
 * `startsUsed`: what the processes have written before does not count.
 */
export function watchUsage(
  pid: number | undefined,
  { limits, write }: Pick<Confinement, 'limits' | 'write'>,
  { sandbox, startsUsed }: { readonly sandbox: UsableSandbox | undefined; readonly startsUsed: boolean },
  onExcess: (what: string) => void,
): () => void {
  const memoryMb = sandbox?.kind === 'bubblewrap' && sandbox.memory === 'total' ? undefined : limits.memoryMb
  const { writtenMb } = limits
  if (pid === undefined || (memoryMb === undefined && writtenMb === undefined) || process.platform !== 'linux')
    return () => {}

  const written = countWritten(startsUsed ? treeOf(pid) : [])
  const grown = writtenMb === undefined ? () => false : watchFolders(write, writtenMb * MIB)
  const timer = setInterval(() => {
    const tree = treeOf(pid)
    if (memoryMb !== undefined && memoryOf(tree, memoryMb * MIB) > memoryMb * MIB) excess(`${memoryMb} MiB of memory`)
    else if (writtenMb !== undefined && (written(tree) > writtenMb * MIB || grown()))
      excess(`${writtenMb} MiB written to disk`)
  }, INTERVAL_MS)
  return () => clearInterval(timer)

  function excess(what: string): void {
    clearInterval(timer)
    onExcess(what)
  }
}

/** A process and all below it; what lost its parent belongs to the sandbox's first process, and so is found too. */
function treeOf(pid: number): readonly number[] {
  const tree = [pid]
  // The list grows while it is walked.
  for (const one of tree) tree.push(...childrenOf(one))
  return tree
}

function childrenOf(pid: number): readonly number[] {
  return tasksOf(pid).flatMap(task => {
    const text = read(`/proc/${pid}/task/${task}/children`).trim()
    return text === '' ? [] : text.split(' ').map(Number)
  })
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** In bytes. Pages that processes share count once each at first; only when that is too much are they counted exactly. */
function memoryOf(tree: readonly number[], limit: number): number {
  const resident = sum(tree.map(pid => Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE))
  return resident <= limit ? resident : sum(tree.map(shareOf))
}

function shareOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024
}

/**
 * Counts bytes over several looks. A process hands its count to the parent that waits for it; so the sum only falls when nobody
 * waited for one that ended, and then what is lost is remembered.
 */
function countWritten(before: readonly number[]): (tree: readonly number[]) => number {
  const first = writtenBy(before)
  let last = first
  let lost = 0
  return tree => {
    const now = writtenBy(tree)
    lost += Math.max(0, last - now)
    last = now
    return now + lost - first
  }
}

const writtenBy = (tree: readonly number[]): number =>
  sum(tree.map(pid => Number(/^write_bytes: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? 0)))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
