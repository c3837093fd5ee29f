// The door of every surface: is it meant for this server, whose is it, and is it not too much?
import { toolError } from '../errors.ts'
import type { Caller, ToolError } from '../types.ts'
import { type Access, type Knock, tokenRequired } from './access.ts'
import type { RateLimit } from './rate-limit.ts'

export type Admission =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly error: ToolError; readonly retryAfterSec?: number }

export type Guard = {
  /** Decides on a request that came from this address. */
  admit(knock: Knock, address: string): Admission
  /** As `admit`, for what tells nothing and needs no token. */
  admitAnyone(knock: Pick<Knock, 'host' | 'origin'>, address: string): Admission
}

const NOBODY: Caller = { id: 'nobody', roles: [] }

export function createGuard(access: Access, limit: RateLimit): Guard {
  return {
    admit(knock, address) {
      const refused = access.refusal(knock)
      if (refused) return { ok: false, error: refused }
      const caller = access.callerOf(knock.authorization)
      // Guesses are counted by address, so that guessing does not use up what the caller may do.
      const tooFast = limited(caller ? `caller ${caller.id}` : `address ${address}`)
      if (tooFast) return tooFast
      return caller ? { ok: true, caller } : { ok: false, error: tokenRequired() }
    },
    admitAnyone(knock, address) {
      const refused = access.refusal(knock)
      if (refused) return { ok: false, error: refused }
      return limited(`address ${address}`) ?? { ok: true, caller: NOBODY }
    },
  }

  function limited(key: string): Admission | undefined {
    const wait = limit.take(key)
    if (wait === 0) return undefined
    const retryAfterSec = Math.max(1, Math.ceil(wait))
    const error = toolError('RATE_LIMITED', 'Too many requests in a short time.', {
      nextAction: `Wait ${retryAfterSec} s, then go on more slowly.`,
    })
    return { ok: false, error, retryAfterSec }
  }
}
