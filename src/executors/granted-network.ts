// The hosts that a policy grants to a program, for one call: a proxy outside, a relay inside, and what was refused.
import { type Proxies, refusedHints } from '../network/proxies.ts'
import type { Confinement } from '../sandbox/confinement.ts'
import { throughRelay } from '../sandbox/through-relay.ts'

type CommandLine = { readonly command: string; readonly args: readonly string[] }

export type GrantedNetwork = {
  /** The command line to run instead. It must be started cold: a warm interpreter has no relay. */
  readonly program: CommandLine
  readonly confinement: Confinement
  /** What the call was refused so far, and how to grant it. */
  hints(): readonly string[]
  /** Ends all connections of the call. */
  close(): Promise<void>
}

/** Throws `TypeError` on a grant that is no host, and what the system says when there can be no proxy. */
export async function openGrantedNetwork(
  proxies: Pick<Proxies, 'open'>,
  {
    grants,
    program,
    confinement,
  }: {
    readonly grants: readonly string[]
    readonly program: CommandLine
    readonly confinement: Confinement
  },
): Promise<GrantedNetwork> {
  const proxy = await proxies.open(grants)
  const { command, args, read } = throughRelay(program)
  return {
    program: { command, args },
    confinement: { ...confinement, read: [...confinement.read, ...read], network: { proxySocket: proxy.socket } },
    hints: () => refusedHints(proxy.refused()),
    close: proxy.close,
  }
}
