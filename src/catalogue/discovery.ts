import type { AboutCategories } from './categories.ts'
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

export type DiscoveryOptions = Omit<DiscoveryParts, 'views'> & { readonly categories?: AboutCategories | undefined }

export function createDiscovery({ categories, ...given }: DiscoveryOptions): Discovery {
  const parts = { ...given, views: createViews(categories) }
  return { ...createDiscoverySession(parts), session: options => createDiscoverySession(parts, options) }
}
