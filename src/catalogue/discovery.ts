import {
  createDiscoverySession,
  type DiscoveryParts,
  type DiscoverySession,
  type SessionOptions,
} from './discovery-session.ts'
import { createViews } from './views.ts'

/** The operations on a session of its own, for a caller without roles, and sessions for everybody else. */
export type Discovery = DiscoverySession & {
  /** A session: one agent, on behalf of one caller. It holds little and needs no end. */
  session(options?: SessionOptions): DiscoverySession
}

export function createDiscovery(given: Omit<DiscoveryParts, 'views'>): Discovery {
  const parts = { ...given, views: createViews() }
  return { ...createDiscoverySession(parts), session: options => createDiscoverySession(parts, options) }
}
