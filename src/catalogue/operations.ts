// The five operations as they stand on the wire: names, words for models, requests and answers. Servers and adapters build on these.
import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { jsonSchemaOf } from '../json-schema/json-schema-of.ts'
import type { Json, JsonSchema } from '../types.ts'

const path = z.array(z.string()).describe('category path, such as ["Storage","Buckets"]')
const limit = z.int().min(1).max(50).nullish().describe('default 10')
const cursor = z.string().nullish().describe('next_cursor of the page before')
const query = z.string().describe('what you need, in words')
const toolId = z.string().describe('as listed or found')
// Whatever is in an answer is JSON already; checking it again would say nothing and cost a recursive schema.
const json = z.unknown() as unknown as z.ZodType<Json>
const schema = z.record(z.string(), json) as unknown as z.ZodType<JsonSchema>

const nodePointer = z.object({
  name: z.string(),
  path: z.array(z.string()),
  summary: z.string(),
  tags: z.array(z.string()),
})

const toolPointer = z.object({
  tool_id: z.string(),
  path: z.array(z.string()),
  summary: z.string(),
  tags: z.array(z.string()),
  confidence: z.number().min(0).max(1),
})

const nextCursor = z.string().nullable()

export const annotationsSchema = z.object({
  title: z.string().optional(),
  read_only: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  open_world: z.boolean().optional(),
})

const expandedTool = z.object({
  tool_id: z.string(),
  path: z.array(z.string()),
  summary: z.string(),
  /** When it says more than the summary. */
  description: z.string().optional(),
  args_schema: schema,
  result_schema: schema.optional(),
  version: z.string(),
  /** What the author calls it. */
  declared_version: z.string().optional(),
  examples: z.array(z.record(z.string(), json)).optional(),
  requirements: z
    .array(
      z.object({ kind: z.enum(['module', 'program', 'variable']), name: z.string(), install: z.string().optional() }),
    )
    .optional(),
  annotations: annotationsSchema.optional(),
  cost: json.optional(),
  risk: json.optional(),
})

const callMeta = z.object({
  tool_id: z.string(),
  trace_id: z.string(),
  latency_ms: z.number(),
  attempts: z.number(),
  exit_code: z.number().optional(),
  stderr: z.string().optional(),
  output_file: z.string().optional(),
  ran_under: z
    .object({ policy: z.string(), sandbox: z.string(), start: z.string(), downgrades: z.array(z.string()) })
    .optional(),
})

const error = z.object({
  code: z.string() as unknown as z.ZodType<ErrorCode>,
  message: z.string(),
  hints: z.array(z.string()),
  next_action: z.string(),
  /** With STALE_SCHEMA: the tool as it is now. */
  tool: expandedTool.optional(),
})

/** What every operation answers when it fails. */
export const errorResponse = z.object({ error })

/** Operation → a line for models, and its request and answer. */
export const OPERATIONS = {
  list: {
    description: 'List the categories and tools at a path. Begin here, with no arguments.',
    request: z.strictObject({
      path: path.nullish(),
      tags: z.array(z.string()).nullish().describe('only what has one of these tags'),
      query: z.string().nullish().describe('only what fits this need, anywhere below the path'),
      limit,
      cursor,
    }),
    response: z.object({
      path: z.array(z.string()),
      nodes: z.array(nodePointer),
      tools: z.array(toolPointer),
      next_cursor: nextCursor,
    }),
  },
  search_tool_by_category: {
    description: 'Search tools by need within a category; an empty path means everywhere.',
    request: z.strictObject({ query, category_path: path.nullish(), limit, cursor }),
    response: z.object({ category_path: z.array(z.string()), results: z.array(toolPointer), next_cursor: nextCursor }),
  },
  search_nodes: {
    description: 'Search categories by need, when you do not know where to look.',
    request: z.strictObject({ query, limit }),
    response: z.object({
      results: z.array(
        z.object({ path: z.array(z.string()), summary: z.string(), confidence: z.number().min(0).max(1) }),
      ),
    }),
  },
  expand_tool: {
    description: 'Get the argument schema of a tool. Required before call_tool.',
    request: z.strictObject({ tool_id: toolId }),
    response: expandedTool,
  },
  call_tool: {
    description: 'Call a tool that you have expanded, with arguments that fit its args_schema.',
    request: z.strictObject({
      tool_id: toolId,
      args: z.record(z.string(), z.unknown()).nullish().describe('arguments'),
      version: z.string().nullish().describe('version that expand_tool gave'),
    }),
    response: z.union([
      z.object({ ok: z.literal(true), data: json, meta: callMeta }),
      z.object({ ok: z.literal(false), error, meta: callMeta }),
    ]),
  },
} as const

export type OperationName = keyof typeof OPERATIONS

type Requests = { [Name in OperationName]: z.input<(typeof OPERATIONS)[Name]['request']> }
export type ListRequest = Requests['list']
export type SearchToolByCategoryRequest = Requests['search_tool_by_category']
export type SearchNodesRequest = Requests['search_nodes']
export type ExpandToolRequest = Requests['expand_tool']
export type CallToolRequest = Requests['call_tool']

export type ListResponse = z.infer<typeof OPERATIONS.list.response>
export type SearchToolByCategoryResponse = z.infer<typeof OPERATIONS.search_tool_by_category.response>
export type SearchNodesResponse = z.infer<typeof OPERATIONS.search_nodes.response>
export type ExpandToolResponse = z.infer<typeof expandedTool>
export type CallToolResponse = z.infer<typeof OPERATIONS.call_tool.response>
export type NodePointer = z.infer<typeof nodePointer>
export type ToolPointer = z.infer<typeof toolPointer>
export type ErrorResponse = z.infer<typeof errorResponse>
export type DiscoveryError = ErrorResponse['error']

/** The request as JSON Schema, for those who describe the operations to a model. */
export function requestSchema(name: OperationName): JsonSchema {
  return jsonSchemaOf(OPERATIONS[name].request)
}

/** What is wrong with a request in one line; undefined when it fits. */
export function requestProblem(name: OperationName, request: unknown): string | undefined {
  const read = OPERATIONS[name].request.safeParse(request ?? {})
  if (read.success) return undefined
  return read.error.issues
    .slice(0, 5)
    .map(issue => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${issue.message}`)
    .join('; ')
}
