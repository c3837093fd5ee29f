// What host and helper tell each other.
import type { RunOutcome, RunRequest } from '../process/run-request.ts'

/** All of a request that can travel. */
export type PlainRequest = Omit<RunRequest, 'signal' | 'onText' | 'onGroup'>

export type ToHelper =
  | {
      readonly type: 'run'
      readonly id: number
      readonly request: PlainRequest
      /** Whether output is wanted as it comes. */
      readonly tellText: boolean
    }
  | { readonly type: 'cancel'; readonly id: number }

export type FromHelper =
  | { readonly type: 'group'; readonly id: number; readonly pid: number }
  | { readonly type: 'text'; readonly id: number; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: RunOutcome }
