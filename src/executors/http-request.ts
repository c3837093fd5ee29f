// Spec and arguments → a request. All texts of the spec are templates.
import { type OpenedFile, openInside } from '../files/open-inside.ts'
import type { HttpRequest } from '../network/http-client.ts'
import { parseTemplate, referencesOf, TemplateError } from '../templates/parse-template.ts'
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

type Body = Pick<HttpRequest, 'body'> & { readonly contentType?: string; readonly files?: readonly OpenedFile[] }

const QUERY_METHODS: readonly string[] = ['GET', 'HEAD', 'DELETE']

/** Throws `RenderError` when the arguments do not do, `TemplateError` when the declaration does not. */
export async function buildHttpRequest(spec: HttpSpec, scope: Scope, workspace: string): Promise<BuiltRequest> {
  const method = readMethod(spec.method)
  const url = buildUrl(spec, method, scope)
  const { headers, secretHeaders } = buildHeaders(spec, scope)
  const { body, contentType, files = [] } = await buildBody(spec, method, scope, workspace)

  // Only we know the boundary of a form with files; otherwise the author's word counts.
  const type = spec.body.as === 'multipart' ? contentType : (headers['content-type'] ?? contentType)
  return {
    method,
    url,
    headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
    secretHeaders,
    ...(body !== undefined && { body }),
    dispose: () => closeAll(files),
  }
}

function readMethod(written: string): string {
  const method = written.toUpperCase()
  if (!/^[A-Z]+$/.test(method) || method === 'CONNECT' || method === 'TRACE')
    throw new TemplateError(`${written} is no method for a tool`)
  return method
}

function buildUrl(spec: HttpSpec, method: string, scope: Scope): URL {
  const text = renderUrl(parseTemplate(spec.url), scope)
  if (!URL.canParse(text)) throw new RenderError(`${text} is no URL`)
  const url = new URL(text)
  url.hash = ''
  if (spec.body.as !== 'arguments' || !QUERY_METHODS.includes(method)) return url
  const query = new URLSearchParams(queryOf(unusedArgs(spec, scope))).toString()
  if (query) url.search = [url.search.slice(1), query].filter(Boolean).join('&')
  return url
}

function buildHeaders({ headers }: HttpSpec, scope: Scope) {
  const built: Record<string, string> = {}
  const secretHeaders = new Set<string>()
  for (const [written, text] of Object.entries(headers)) {
    const name = written.toLowerCase()
    if (!HEADER_NAME.test(name) || OURS.has(name)) throw new TemplateError(`a tool may not set the header ${written}`)
    const template = parseTemplate(text)
    built[name] = renderHeader(template, scope)
    if (referencesOf(template).some(({ from }) => from === 'env')) secretHeaders.add(name)
  }
  return { headers: built, secretHeaders }
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

async function buildBody(spec: HttpSpec, method: string, scope: Scope, workspace: string): Promise<Body> {
  switch (spec.body.as) {
    case 'arguments':
      if (QUERY_METHODS.includes(method)) return {}
      return { body: JSON.stringify(unusedArgs(spec, scope)), contentType: 'application/json' }
    case 'json':
      return { body: renderJson(spec.body.template, scope), contentType: 'application/json' }
    case 'text':
      return { body: renderText(parseTemplate(spec.body.template), scope), contentType: 'text/plain; charset=utf-8' }
    case 'form': {
      const fields = Object.entries(spec.body.fields).map(([name, text]): [string, string] => [
        name,
        renderText(parseTemplate(text), scope),
      ])
      return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' }
    }
    case 'multipart':
      return multipartBody(spec.body.fields, scope, workspace)
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

function unusedArgs({ url }: HttpSpec, { args }: Scope): Scope['args'] {
  const used = new Set(referencesOf(parseTemplate(url)).map(({ from, path }) => from === 'args' && path[0]))
  return Object.fromEntries(Object.entries(args).filter(([name]) => !used.has(name)))
}

function queryOf(args: Scope['args']): [string, string][] {
  return Object.entries(args).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter(item => item !== null)
      .map((item: Json): [string, string] => [name, typeof item === 'string' ? item : JSON.stringify(item)]),
  )
}
