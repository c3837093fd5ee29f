// The proxies of a runtime, one for each call that needs one.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HostProxy, openProxy, type ProxyOptions } from './proxy.ts'

export type Proxies = {
  /** A proxy to these hosts. Throws `TypeError` on a grant that is no host, and what the system says when there can be none. */
  open(grants: readonly string[]): Promise<OpenProxy>
  /** Closes them all. */
  close(): Promise<void>
}

export type OpenProxy = HostProxy & {
  /** Path of the UNIX socket that it listens on. */
  readonly socket: string
}

/** What the system takes for the path of a socket, on Linux and on macOS. */
const MAX_PATH = 103

export function createProxies(options: Omit<ProxyOptions, 'grants' | 'socket'>): Proxies {
  const all = new Set<HostProxy>()
  let folder: string | undefined
  let opened = 0

  return {
    async open(grants) {
      folder ??= makeFolder()
      const socket = join(folder, String(++opened))
      const proxy = await openProxy({ ...options, grants, socket })
      all.add(proxy)
      return {
        ...proxy,
        socket,
        async close() {
          all.delete(proxy)
          await proxy.close()
        },
      }
    },
    async close() {
      await Promise.all([...all].map(proxy => proxy.close()))
      all.clear()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
      folder = undefined
    },
  }
}

/** For this user alone. */
function makeFolder(): string {
  const base = join(tmpdir(), 'skillwright-')
  return mkdtempSync(base.length + '123456/1234567890'.length > MAX_PATH ? '/tmp/skillwright-' : base)
}

/** What to tell when a program failed and something was refused on its way. */
export function refusedHints(refused: readonly string[]): readonly string[] {
  if (refused.length === 0) return []
  const list = refused.map(host => JSON.stringify(host)).join(', ')
  return [
    `It tried to reach ${refused.join(', ')}, which is not granted. The user can: add ${list} to \`network\` of the policy of this tool; an address that is not public also needs \`allowPrivate\`.`,
  ]
}
