import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createHttpExecutor } from '../../src/executors/http.ts'
import { createHttpClient, type HttpClientOptions } from '../../src/network/http-client.ts'
import { POLICIES } from '../../src/policy/policies.ts'
import { RenderError } from '../../src/templates/render.ts'
import type { CallUpdate, HttpSpec, Json, Outcome, Skill, Tool } from '../../src/types.ts'
import { makeFolder } from './folders.ts'

export type Seen = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export type TestServer = {
  /** `127.0.0.1:port` */
  readonly host: string
  readonly port: number
  readonly origin: string
  readonly seen: Seen[]
  /** Connections that were ever made to it. */
  connections(): number
}

type Handler = (request: Seen, response: ServerResponse) => unknown

/** A real server on loopback; closed when the test ends. */
export async function serve(
  handler: Handler,
  create: (listener: never) => Server = createServer as never,
): Promise<TestServer> {
  const seen: Seen[] = []
  let connections = 0
  const server = create((async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const one = { method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(parts) }
    seen.push(one)
    await handler(one, response)
  }) as never)
  server.on('connection', () => connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  return { host, port, origin: `http://${host}`, seen, connections: () => connections }
}

/** Answers with this. */
export function answer(body: string | Buffer, headers: Record<string, string> = {}, status = 200): Handler {
  return (_, response) => response.writeHead(status, headers).end(body)
}

export function json(value: Json, status = 200): Handler {
  return answer(JSON.stringify(value), { 'content-type': 'application/json' }, status)
}

export type CallOptions = {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly onUpdate?: (update: CallUpdate) => void
}

type Setup = HttpClientOptions & {
  readonly workspace?: string
  readonly env?: Readonly<Record<string, string>>
  readonly maxAnswerBytes?: number
}

/** An executor with a client of its own, both real; `call` is one call of a tool with this spec. */
export function makeHttp({ workspace, env = {}, maxAnswerBytes, ...network }: Setup = {}) {
  const client = createHttpClient(network)
  onTestFinished(() => client.close())
  const outputs = makeFolder()
  const executor = createHttpExecutor({
    client,
    outputFile: name => join(outputs, name),
    ...(maxAnswerBytes !== undefined && { maxAnswerBytes }),
  })
  return { client, outputs, call }

  function call(
    spec: Partial<HttpSpec> & { readonly url: string },
    args: { readonly [name: string]: Json } = {},
    { timeoutMs = 5000, signal = new AbortController().signal, onUpdate }: CallOptions = {},
  ): Promise<Outcome> {
    return executor.execute({
      tool: {} as Tool,
      skill: {} as Skill,
      spec: { type: 'http', method: 'GET', headers: {}, body: { as: 'arguments' }, ...spec },
      args,
      policy: POLICIES.balanced,
      skills: new Map(),
      timeoutMs,
      ending: { signal },
      callId: 'call',
      workspace: workspace ?? outputs,
      callOther: () => Promise.reject(new Error('no other tools here')),
      environment: {},
      variable: name => {
        if (env[name] === undefined) throw new RenderError(`env:${name} is not granted`, 'ENV_NOT_GRANTED')
        return env[name]
      },
      ...(onUpdate && { onUpdate }),
    })
  }
}

export function dataOf(outcome: Outcome): Json {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.data
}

export function errorOf(outcome: Outcome) {
  if (outcome.ok) throw new Error(`went well: ${JSON.stringify(outcome.data)}`)
  return { ...outcome.error, again: outcome.again }
}
