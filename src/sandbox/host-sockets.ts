// A socket that lies in a folder can be reached through it, whatever becomes of the network. Those of the host that lie in a
// mounted folder are covered. Not found are those that were bound by a relative path, or are made while the call runs.
import { lstatSync, readFileSync } from 'node:fs'
import { isInside } from '../files/inside.ts'
import type { Confinement } from './confinement.ts'

export function hostSockets({ read, write }: Confinement): readonly string[] {
  const folders = [...read, ...write]
  return bound()
    .filter(path => folders.some(folder => folder !== path && isInside(folder, path)))
    .filter(path => lstatSync(path, { throwIfNoEntry: false })?.isSocket())
}

/** The last field of each line, which abstract sockets begin with `@`. */
function bound(): readonly string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
    return [...new Set(lines.map(line => line.slice(line.indexOf(' /') + 1)).filter(path => path.startsWith('/')))]
  } catch {
    return []
  }
}
