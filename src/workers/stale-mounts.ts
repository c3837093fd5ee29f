import { lstatSync } from 'node:fs'
import type { Confinement } from '../sandbox/confinement.ts'

/** Changes when a path of the confinement is replaced, comes or goes: a sandbox goes on showing what was there at its start. */
export function mountState({ read, write, hide, protect }: Confinement): string {
  return [...read, ...write, ...hide, ...protect]
    .map(path => {
      const found = lstatSync(path, { throwIfNoEntry: false })
      return found ? `${found.dev}:${found.ino}` : ''
    })
    .join(' ')
}
