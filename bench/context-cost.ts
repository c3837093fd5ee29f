// What tools cost a model's context, in tokens of a real tokenizer: all schemas at once, against finding them step by step.
import { encode } from 'gpt-tokenizer'
import { OPERATIONS, type OperationName, requestSchema } from '../src/catalogue/operations.ts'
import { createRuntime, discoveryPrompt, type HostTool, toDiscoveryText } from '../src/index.ts'
import { printTable } from './table.ts'

const SIZES = [100, 1000, 10_000]
const NEED = 'rotate a picture that is upside down'

/** Tokens of the five definitions and the rules; of one way from a need to a result, both included. */
export async function measureContext(count: number): Promise<{ flat: number; start: number; conversation: number }> {
  const tools = syntheticTools(count)
  const runtime = await createRuntime({ tools, defaultSources: false, audit: false })
  const flat = tokensOf(tools.map(({ name, description, inputSchema }) => define(name, description, inputSchema)))
  const start = tokensOf([discoveryPrompt(), ...operations()])

  const session = runtime.discovery.session()
  const said: unknown[] = []
  const step = async <Response extends object>(name: OperationName, request: object): Promise<Response> => {
    const response = await session[name](request as never)
    if ('error' in response) throw new Error(JSON.stringify(response.error))
    said.push({ name, arguments: JSON.stringify(request) }, toDiscoveryText(response))
    return response as unknown as Response
  }
  await step('list', {})
  const { results: nodes } = await step<{ results: { path: string[] }[] }>('search_nodes', { query: NEED, limit: 3 })
  if (nodes.length === 0) throw new Error('no category fits')
  const { results } = await step<{ results: { tool_id: string }[] }>('search_tool_by_category', { query: NEED })
  const { tool_id } = results[0]!
  const { examples } = await step<{ examples: object[] }>('expand_tool', { tool_id })
  await step('call_tool', { tool_id, args: examples[0]! })
  await runtime.close()
  return { flat, start, conversation: start + tokensOf([NEED, ...said]) }
}

export async function benchContextCost(): Promise<void> {
  const rows: string[][] = []
  for (const count of SIZES) {
    const { flat, start, conversation } = await measureContext(count)
    rows.push([
      `${count} tools`,
      String(flat),
      String(start),
      String(conversation),
      `${(conversation / flat).toFixed(3)}×`,
    ])
  }
  printTable('Tokens in the context (targets: start under 1,500, a whole conversation under 3,000, at any size)', [
    ['', 'all schemas (baseline)', 'discovery start', 'list → search → expand → call', 'ratio'],
    ...rows,
  ])
}

function operations(): string[] {
  return (Object.keys(OPERATIONS) as OperationName[]).map(name =>
    define(name, OPERATIONS[name].description, requestSchema(name)),
  )
}

/** As chat APIs take it. */
function define(name: string, description: string, parameters: unknown): string {
  return JSON.stringify({ type: 'function', function: { name, description, parameters } })
}

function tokensOf(parts: readonly unknown[]): number {
  return parts.reduce<number>(
    (sum, part) => sum + encode(typeof part === 'string' ? part : JSON.stringify(part)).length,
    0,
  )
}

const THINGS = ['picture', 'invoice', 'calendar', 'song', 'parcel', 'contract', 'recipe', 'flight', 'server', 'branch']
const DEEDS = ['rotate', 'archive', 'compare', 'publish', 'translate', 'merge', 'split', 'sign', 'validate', 'export']

/** Tools of the usual size: two sentences and four parameters. */
export function syntheticTools(count: number): HostTool[] {
  return Array.from({ length: count }, (_, i) => {
    const [thing, deed] = [THINGS[i % 10]!, DEEDS[Math.floor(i / 10) % 10]!]
    const area = `area ${Math.floor(i / 100)}`
    return {
      name: `${deed}_${thing}_${i}`,
      description: `Takes a ${thing} of ${area} and ${deed}s it. Use it when a user wants to ${deed} one ${thing} or several.`,
      inputSchema: {
        type: 'object',
        properties: {
          [`${thing}_id`]: { type: 'string', description: `The ${thing} to ${deed}, by its id or by its full name.` },
          options: {
            type: 'array',
            items: { type: 'string' },
            description: `How to ${deed} it; empty for the usual way.`,
          },
          dry_run: { type: 'boolean', default: false, description: 'Only say what would be done.' },
          format: { type: 'string', enum: ['text', 'json', 'table'], description: 'How the result is written.' },
        },
        required: [`${thing}_id`],
        additionalProperties: false,
      },
      run: args => ({ done: deed, of: args[`${thing}_id`] ?? null }),
    }
  })
}
