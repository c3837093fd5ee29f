import {
  createDiscoverySession,
  type DiscoveryParts,
  type DiscoverySession,
  type DiscoverySessionOptions,
} from './discovery-session.ts'
import { createViews, type ViewOptions } from './views.ts'

/** The operations on a session of its own, for a caller without roles, and sessions for everybody else. */
export type Discovery = DiscoverySession & {
  /** A session: one agent, on behalf of one caller. It holds little and needs no end. */
  session(options?: DiscoverySessionOptions): DiscoverySession
}

export type DiscoveryOptions = Omit<DiscoveryParts, 'views'> & ViewOptions

export function createDiscovery({ snapshot, call, emit, ...options }: DiscoveryOptions): Discovery {
  const parts = { snapshot, call, emit, views: createViews(options) }
  return { ...createDiscoverySession(parts), session: options => createDiscoverySession(parts, options) }
}
