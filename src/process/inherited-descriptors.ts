// Node closes what it opens itself to the programs that it starts, but not all that it was given by whoever started it: with
// the descriptor of a folder, such as shells leave open for locks, a program reaches files from inside every sandbox.
import { openSync, readdirSync, readFileSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000
const leaking = process.platform === 'linux' ? findLeaking() : []
let nothing: number | undefined

/** Entries of `stdio`, behind `count` others, with which a program finds nothing behind the numbers of these. */
export function coverInherited(count: number): readonly ('ignore' | number)[] {
  const last = Math.max(0, ...leaking)
  if (last < count) return []
  nothing ??= openSync('/dev/null', 'r+')
  const cover = nothing
  return Array.from({ length: last + 1 - count }, (_, at) => (leaking.includes(count + at) ? cover : 'ignore'))
}

/** Open files of this process that stay open when it starts another. */
function findLeaking(): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter(descriptor => descriptor > 2 && isLeaking(descriptor))
}

function isLeaking(descriptor: number): boolean {
  const flags = /^flags:\s+(\d+)$/m.exec(readInfo(descriptor))?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
}

/** Empty for one that is closed by now: that of the list itself. */
function readInfo(descriptor: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')
  } catch {
    return ''
  }
}
