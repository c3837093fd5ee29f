import {
  createDiscoverySession,
  type DiscoveryParts,
  type DiscoverySession,
  type DiscoverySessionOptions,
} from './discovery-session.ts'

/** The operations on a session of its own, for a caller without roles, and sessions for everybody else. */
export type Discovery = DiscoverySession & {
  /** A session: one agent, on behalf of one caller. It holds little and needs no end. */
  session(options?: DiscoverySessionOptions): DiscoverySession
}

export function createDiscovery(parts: DiscoveryParts): Discovery {
  return { ...createDiscoverySession(parts), session: options => createDiscoverySession(parts, options) }
}
