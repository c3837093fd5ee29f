// The OpenAPI document of the routes, from the very schemas that check requests.
import { z } from 'zod'
import type { JsonSchema } from '../../types.ts'
import { problemSchema } from '../problem.ts'
import type { Route } from './route.ts'

export function openApiDocument(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    paths[route.path]![route.method] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Skillwright',
      version,
      description:
        'Skills as tools: find them, call them, see what became of it. Failures are problem details (RFC 9457).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Needed when the server was given tokens.' },
      },
      schemas: { Problem: toSchema(problemSchema, 'output') },
      responses: {
        Problem: {
          description: 'It failed; `code`, `hints` and `next_action` say why and what to do.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  }
}

function operation(route: Route): object {
  const { id, summary, path, isOpen } = route
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
  const inPath = names.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const parameters = [...inPath, ...queryParameters(route)]
  const requestBody = bodyOf(route)
  return {
    operationId: id,
    summary,
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { [route.status ?? 200]: success(route), default: { $ref: '#/components/responses/Problem' } },
  }
}

function queryParameters({ query }: Route): object[] {
  if (!query) return []
  const { properties = {}, required = [] } = toSchema(query, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

function bodyOf({ body, upload }: Route): object | undefined {
  if (upload !== undefined) return { required: true, content: { 'application/octet-stream': {} } }
  return body && { content: { 'application/json': { schema: toSchema(body, 'input') } } }
}

function success({ answer, events }: Route): object {
  const content = {
    ...(answer && { 'application/json': { schema: toSchema(answer, 'output') } }),
    ...(events !== undefined && {
      'text/event-stream': { schema: { type: 'string', description: `Events: ${events}.` } },
    }),
  }
  return { description: 'It went well.', ...(Object.keys(content).length > 0 && { content }) }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}
