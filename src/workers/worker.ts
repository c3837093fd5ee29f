import type { RunRequest } from '../process/run-request.ts'
import type { Started } from '../process/started.ts'

/** An interpreter that waits just before its script. */
export type Worker = {
  /** `starting` and `busy` ones take no call. */
  state(): 'starting' | 'ready' | 'busy' | 'gone'
  /** Runs a call. Undefined when it cannot be this one's; nothing has run then. */
  begin(request: RunRequest): Promise<Started | undefined>
  /** Ends it with all that it runs. */
  close(): void
}
