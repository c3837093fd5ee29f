// What servers say of tools, skills, reports and events: camelCase inside, snake_case outside, schema and encoder side by side.
import { basename, isAbsolute } from 'node:path'
import { z } from 'zod'
import { annotationsOf } from '../catalogue/expand.ts'
import { annotationsSchema } from '../catalogue/operations.ts'
import type { ImportResult } from '../import/import-skills.ts'
import type { Report, Skill, Tool } from '../types.ts'

const schemaOfJson = z.record(z.string(), z.unknown())

export const toolSchema = z.object({
  id: z.string(),
  name: z.string(),
  skill: z.string().describe('id of the skill or MCP server that brings it'),
  description: z.string(),
  input_schema: schemaOfJson,
  result_schema: schemaOfJson.optional(),
  executor: z.string().describe('what runs it'),
  origin: z.string().describe('where it was declared'),
  timeout_ms: z.number(),
  annotations: annotationsSchema.optional(),
  category: z.union([z.string(), z.array(z.string())]).optional(),
  tags: z.array(z.string()).optional(),
  version: z.string().optional().describe('as its author calls it'),
})

export type WireTool = z.infer<typeof toolSchema>

export function toWireTool(tool: Tool): WireTool {
  const { resultSchema, category, tags, version } = tool
  const annotations = annotationsOf(tool)
  return {
    id: tool.id,
    name: tool.name,
    skill: tool.skill,
    description: tool.description,
    input_schema: tool.inputSchema,
    ...(resultSchema && { result_schema: resultSchema }),
    executor: tool.executor.type,
    origin: tool.origin,
    timeout_ms: tool.timeoutMs,
    ...(annotations && { annotations }),
    ...(category !== undefined && { category: typeof category === 'string' ? category : [...category] }),
    ...(tags && { tags: [...tags] }),
    ...(version !== undefined && { version }),
  }
}

export const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  plugin: z.string().optional(),
  source: z.string().describe('name of the source it came from'),
  license: z.string().optional(),
  compatibility: z.string().optional(),
  model_invocable: z.boolean(),
})

/** Folders of this machine stay out: a client can do nothing with them. */
export function toWireSkill(skill: Skill): z.infer<typeof skillSchema> {
  const { id, name, description, plugin, source, license, compatibility, modelInvocable } = skill
  return {
    id,
    name,
    description,
    // A source without a name is called like its folder.
    source: isAbsolute(source) ? basename(source) : source,
    model_invocable: modelInvocable,
    ...(plugin !== undefined && { plugin }),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
  }
}

const count = z.int().min(0)

export const reportSchema = z.object({
  counts: z.object({ skills: count, ok: count, invalid: count, shadowed: count, left_out: count }),
  tools: z.array(
    z.object({
      id: z.string(),
      status: z.enum(['ok', 'invalid', 'shadowed']),
      reason: z.string().optional(),
      code: z.string().optional(),
      file: z.string().optional(),
      line: z.int().optional(),
    }),
  ),
  left_out: z.array(z.object({ skill: z.string(), file: z.string(), reason: z.string(), detail: z.string() })),
  diagnostics: z.array(
    z.object({
      severity: z.enum(['error', 'warning', 'info']),
      code: z.string(),
      message: z.string(),
      file: z.string(),
      line: z.int().optional(),
      hint: z.string(),
    }),
  ),
})

export function toWireReport({ counts, tools, leftOut, diagnostics }: Report): z.infer<typeof reportSchema> {
  const { leftOut: left_out, ...rest } = counts
  return { counts: { ...rest, left_out }, tools: [...tools], left_out: [...leftOut], diagnostics: [...diagnostics] }
}

export const importSchema = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['skill', 'plugin']),
      status: z.enum(['added', 'replaced', 'unchanged']),
      ids: z.array(z.string()),
      hash: z.string(),
    }),
  ),
  notes: z.array(z.string()).describe('what was left out, and why'),
  compiled_ok: count,
  invalid_tools: count,
  shadowed_tools: count,
})

export function toWireImport({ skills, notes }: ImportResult, { tools }: Report): z.infer<typeof importSchema> {
  const ids = skills.flatMap(skill => skill.ids)
  const isOwn = (tool: string) => ids.some(id => tool === id || tool.startsWith(`${id}.`))
  const having = (status: string) => tools.filter(tool => tool.status === status && isOwn(tool.id)).length
  return {
    skills: skills.map(({ name, kind, status, ids, hash }) => ({ name, kind, status, ids: [...ids], hash })),
    notes: [...notes],
    compiled_ok: having('ok'),
    invalid_tools: having('invalid'),
    shadowed_tools: having('shadowed'),
  }
}

/** An event as it stands in the audit; docs/events.md says what each has besides. */
export const eventSchema = z.looseObject({ event: z.string(), time: z.string(), trace_id: z.string() })
