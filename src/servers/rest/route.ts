// A route: what it takes, what it answers, and what it does, in one place. The server and its OpenAPI document both read it.
import type { z } from 'zod'
import type { Runtime } from '../../runtime.ts'
import type { Caller } from '../../types.ts'
import type { Access } from '../access.ts'

/** What the handlers of all routes work with. */
export type RestParts = {
  readonly runtime: Runtime
  readonly access: Access
  /** Aborted when the server begins to shut down. */
  readonly closing: AbortSignal
  /** The audit file, or false when there is none. */
  readonly auditFile: string | false
  /** The folder that imports go to. Absent: the default one. */
  readonly importInto?: string
  /** Each session gets a folder of its own in here. Absent: all work in the runtime's workspace. */
  readonly workspaces?: string
}

export type Incoming<Body, Query> = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  readonly request: Request
}

export type RouteSpec<Body extends z.ZodType, Query extends z.ZodType> = {
  readonly method: 'get' | 'post' | 'delete'
  /** With parameters as `{name}`. */
  readonly path: string
  /** Name of the operation in the OpenAPI document. */
  readonly id: string
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  /** Whether the operation checks the body itself, and so keeps its own words and audit. Default: false. */
  readonly checksBody?: boolean
  /** The body is a file, at most so many bytes long. */
  readonly upload?: number
  /** Absent: it answers with events alone. */
  readonly answer?: z.ZodType
  /** What the events of a streamed answer are. Absent: it does not stream. */
  readonly events?: string
  /** Default: 200. */
  readonly status?: 201 | 204
  /** Whether it answers without a token. Default: false. */
  readonly isOpen?: boolean
  /** Gives the answer, or a response that is ready. What it throws becomes a problem. */
  readonly handle: (incoming: Incoming<z.infer<Body>, z.infer<Query>>) => Promise<object | undefined>
}

export type Route = RouteSpec<z.ZodType, z.ZodType>

export function route<Body extends z.ZodType = z.ZodUndefined, Query extends z.ZodType = z.ZodUndefined>(
  spec: RouteSpec<Body, Query>,
): Route {
  return spec as unknown as Route
}
