// Real servers on loopback, and clients for them: fetch with every answer held against the OpenAPI document, gRPC by reflection.
import { createHash } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, onTestFinished } from 'vitest'
import type { Runtime } from '../../src/index.ts'
import { type ServeOptions, type Serving, serve } from '../../src/servers/serve.ts'

export const TOKENS = {
  ada: 'token-of-ada-0123456789',
  bob: 'token-of-bob-0123456789',
  root: 'token-of-root-123456789',
}

/** Three callers: ada is a teacher, bob is nobody special, root is an admin. */
export const CALLERS: NonNullable<ServeOptions['tokens']> = [
  { id: 'ada', roles: ['teacher'], tokenSha256: digest(TOKENS.ada) },
  { id: 'bob', tokenSha256: digest(TOKENS.bob) },
  { id: 'root', roles: ['admin'], tokenSha256: digest(TOKENS.root) },
]

/** Serves a runtime; both are closed when the test ends. */
export async function start(runtime: Runtime, options: ServeOptions = {}): Promise<Serving & { origin: string }> {
  const serving = await serve(runtime, options)
  onTestFinished(() => serving.close({ graceMs: 0 }))
  return { ...serving, origin: new URL(serving.addresses.rest).origin }
}

type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
  components: object
}

/** What came; the document says what it is. */
export type Body = Readonly<Record<string, unknown>>

export type Answered = { readonly status: number; readonly headers: Headers; readonly body: Body }

export type Api = {
  (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
  readonly document: Document
}

/** A client whose every answer must be what the document of the server says. */
export async function connect(origin: string, token?: string): Promise<Api> {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const document = (await (await fetch(`${origin}/openapi.json`, { headers: bearer })).json()) as Document
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'openapi', ...document })

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...bearer, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const value: unknown = text === '' ? undefined : JSON.parse(text)
    holds(method.toLowerCase(), path.split('?')[0]!, response, value)
    return { status: response.status, headers: response.headers, body: value as Body }
  }
  return Object.assign(call, { document })

  function holds(method: string, path: string, response: Response, value: unknown): void {
    const template = Object.keys(document.paths).find(one => matches(one, path))
    const isKnown = template !== undefined && document.paths[template]![method] !== undefined
    const type = response.headers.get('content-type')
    if (response.status >= 400) {
      expect(type).toBe('application/problem+json')
      check('#/components/schemas/Problem', value)
      return
    }
    expect(isKnown, `${method} ${path} is in the document`).toBe(true)
    const { responses } = document.paths[template!]![method]!
    expect(Object.keys(responses)).toContain(String(response.status))
    if (value === undefined) return
    const pointer = ['paths', template!, method, 'responses', String(response.status), 'content', type!, 'schema']
    check(
      `#/${pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
      value,
    )
  }

  function check(pointer: string, value: unknown): void {
    const validate = ajv.getSchema(`openapi${pointer}`) ?? ajv.compile({ $ref: `openapi${pointer}` })
    expect(validate(value), `${JSON.stringify(validate.errors)} in ${JSON.stringify(value)}`).toBe(true)
  }
}

export type ServerEvent = { readonly event: string; readonly data: Body }

/** The events of a response, as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  let text = ''
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1]
      if (event) yield { event, data: JSON.parse(/^data: (.*)$/m.exec(block)![1]!) }
    }
  }
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
