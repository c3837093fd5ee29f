// A program that reaches the network through a proxy only: it runs as the child of a relay, which gives it a proxy on its
// own loopback. Costs a start of Node, and no warm worker can stand in: the relay belongs to one call.
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programFiles } from './program-files.ts'
import { PROXY_SOCKET_INSIDE } from './wrap.ts'

export type Relayed = {
  readonly command: string
  readonly args: readonly string[]
  /** What must be readable inside besides. */
  readonly read: readonly string[]
}

const RELAY = fileURLToPath(new URL('./relay/relay.cjs', import.meta.url))
const PRELOAD = fileURLToPath(new URL('./relay/fetch-through-proxy.cjs', import.meta.url))

/** The command line to run instead, in a confinement whose network is the socket of a proxy. */
export function throughRelay({ command, args }: Pick<Relayed, 'command' | 'args'>): Relayed {
  const undici = dirname(createRequire(import.meta.url).resolve('undici/package.json'))
  return {
    command: process.execPath,
    args: [RELAY, PROXY_SOCKET_INSIDE, PRELOAD, undici, command, ...args],
    read: [RELAY, PRELOAD, undici, ...programFiles(command)],
  }
}
