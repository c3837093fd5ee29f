// Spec and arguments → a request. All texts of the spec are templates.
import { type OpenedFile, openInside } from '../files/open-inside.ts'
import type { HttpRequest, StreamedBody } from '../network/http-client.ts'
import { parseTemplate, referencesOf, type Template, TemplateError } from '../templates/parse-template.ts'
import {
  RenderError,
  renderData,
  renderHeader,
  renderJsonText,
  renderText,
  renderUrl,
  type Scope,
} from '../templates/render.ts'
import type { HttpSpec, Json } from '../types.ts'
import { buildMultipart, type FormPart } from './multipart.ts'

export type BuiltRequest = Omit<HttpRequest, 'deadline'> & {
  /** Closes the files of the body. */
  dispose(): Promise<void>
}

type Body = {
  readonly body: string | StreamedBody
  readonly contentType: string
  readonly files?: readonly OpenedFile[]
}

const QUERY_METHODS: readonly string[] = ['GET', 'HEAD', 'DELETE']

/** A spec with its templates read: made once, used by every call. */
export type RequestPlan = {
  readonly method: string
  readonly url: Template
  /** Names of the arguments that the URL uses. */
  readonly inUrl: readonly string[]
  readonly headers: readonly (readonly [name: string, Template])[]
  readonly secretHeaders: ReadonlySet<string>
  readonly body: HttpSpec['body']
}

/** Throws `TemplateError` when the tool is declared wrongly. */
export function planRequest(spec: HttpSpec): RequestPlan {
  const url = parseTemplate(spec.url)
  const headers = Object.entries(spec.headers).map(
    ([name, text]) => [readHeaderName(name), parseTemplate(text)] as const,
  )
  const secret = headers.filter(([, template]) => referencesOf(template).some(({ from }) => from === 'env'))
  return {
    method: readMethod(spec.method),
    url,
    inUrl: referencesOf(url).flatMap(({ from, path }) => (from === 'args' ? path.slice(0, 1) : [])),
    headers,
    secretHeaders: new Set(secret.map(([name]) => name)),
    body: spec.body,
  }
}

/** Throws `RenderError` when the arguments do not do, `TemplateError` when the body is declared wrongly. */
export async function buildHttpRequest(plan: RequestPlan, scope: Scope, workspace: string): Promise<BuiltRequest> {
  const { method, secretHeaders } = plan
  const own = plan.body.as === 'arguments' ? unusedArgs(plan, scope) : undefined
  const isQuery = QUERY_METHODS.includes(method)
  const url = buildUrl(plan.url, own && isQuery ? queryOf(own) : '', scope)
  const headers: Record<string, string> = {}
  for (const [name, template] of plan.headers) headers[name] = renderHeader(template, scope)
  if (own && isQuery) return { method, url, headers, secretHeaders, dispose: async () => {} }

  const { body, contentType, files = [] } = await buildBody(plan.body, own, scope, workspace)
  // Only we know the boundary of a form with files; otherwise the author's word counts.
  if (plan.body.as === 'multipart') headers['content-type'] = contentType
  else headers['content-type'] ??= contentType
  return { method, url, headers, secretHeaders, body, dispose: () => closeAll(files) }
}

function readMethod(written: string): string {
  const method = written.toUpperCase()
  if (!/^[A-Z]+$/.test(method) || method === 'CONNECT' || method === 'TRACE')
    throw new TemplateError(`${written} is no method for a tool`)
  return method
}

function readHeaderName(written: string): string {
  const name = written.toLowerCase()
  if (!HEADER_NAME.test(name) || OURS.has(name)) throw new TemplateError(`a tool may not set the header ${written}`)
  return name
}

function buildUrl(template: Template, query: string, scope: Scope): URL {
  // The query is added as text: each change of a URL would parse all of it again.
  const [text = ''] = renderUrl(template, scope).split('#')
  try {
    return new URL(query ? `${text}${text.includes('?') ? '&' : '?'}${query}` : text)
  } catch {
    throw new RenderError(`${text} is no URL`)
  }
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
/** They say where a message ends, how it is encoded and whom it is for: a wrong one could smuggle a second request. */
const OURS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

async function buildBody(
  spec: HttpSpec['body'],
  own: Scope['args'] | undefined,
  scope: Scope,
  workspace: string,
): Promise<Body> {
  switch (spec.as) {
    case 'arguments':
      return { body: JSON.stringify(own), contentType: 'application/json' }
    case 'json':
      return { body: renderJson(spec.template, scope), contentType: 'application/json' }
    case 'text':
      return { body: renderText(parseTemplate(spec.template), scope), contentType: 'text/plain; charset=utf-8' }
    case 'form': {
      const fields = Object.entries(spec.fields).map(([name, text]): [string, string] => [
        name,
        renderText(parseTemplate(text), scope),
      ])
      return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' }
    }
    case 'multipart':
      return multipartBody(spec.fields, scope, workspace)
  }
}

function renderJson(template: Json, scope: Scope): string {
  if (typeof template !== 'string') return JSON.stringify(renderData(template, scope))
  const text = renderJsonText(parseTemplate(template), scope)
  try {
    JSON.parse(text)
    return text
  } catch {
    throw new RenderError('with these arguments the body is no JSON')
  }
}

/** It is the template that makes a field a file: a value that begins with `@` is only a value. */
async function multipartBody(fields: Readonly<Record<string, string>>, scope: Scope, workspace: string): Promise<Body> {
  const files: OpenedFile[] = []
  const parts: FormPart[] = []
  try {
    for (const [name, text] of Object.entries(fields)) {
      const value = renderText(parseTemplate(text.replace(/^@/, '')), scope)
      if (!text.startsWith('@')) parts.push({ name, value })
      else {
        const file = await openInside(workspace, value)
        files.push(file)
        parts.push({ name, value: file })
      }
    }
    return { ...buildMultipart(parts), files }
  } catch (error) {
    await closeAll(files)
    if (error instanceof RenderError || error instanceof TemplateError) throw error
    throw new RenderError((error as Error).message)
  }
}

async function closeAll(files: readonly OpenedFile[]): Promise<void> {
  for (const { handle } of files) await handle.close()
}

function unusedArgs({ inUrl }: RequestPlan, { args }: Scope): Scope['args'] {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !inUrl.includes(name)))
}

function queryOf(args: Scope['args']): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args))
    for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value])
      if (item !== null) query.append(name, typeof item === 'string' ? item : JSON.stringify(item))
  return query.toString()
}
