import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { createAgent } from 'langchain'
import { expect, test } from 'vitest'
import { createDiscoveryTools } from '../../src/adapters/langchain.ts'
import { discoveryPrompt, type RuntimeEvent } from '../../src/index.ts'
import { makeSeedRuntime, manyTools, runtimeOf } from '../support/catalogue.ts'

type Step = (answers: readonly ToolMessage[]) => readonly [name: string, args: Record<string, unknown>] | string

/** A chat model that decides its next step by what the tools answered. */
class SteppingModel extends BaseChatModel {
  readonly bound: string[] = []
  private readonly steps: readonly Step[]
  private at = 0

  constructor(steps: readonly Step[]) {
    super({})
    this.steps = steps
  }

  override _llmType(): string {
    return 'stepping'
  }

  override bindTools(tools: { name?: string }[]) {
    if (this.bound.length === 0) this.bound.push(...tools.map(tool => tool.name ?? ''))
    return this as never
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const answers = messages.filter(message => ToolMessage.isInstance(message)) as ToolMessage[]
    const step = this.steps[this.at++]?.(answers) ?? 'nothing left to do'
    const message =
      typeof step === 'string'
        ? new AIMessage(step)
        : new AIMessage({
            content: '',
            tool_calls: [{ id: String(this.at), name: step[0], args: step[1], type: 'tool_call' }],
          })
    return { generations: [{ text: String(message.content), message }] }
  }
}

const last = (answers: readonly ToolMessage[]) => JSON.parse(String(answers.at(-1)!.content))

test('the example interaction: an agent finds, expands and calls the tool that renames a symbol', async () => {
  const { runtime } = await makeSeedRuntime()
  const events: RuntimeEvent[] = []
  runtime.on('*', event => events.push(event))
  const model = new SteppingModel([
    () => ['list', {}],
    answers => {
      const coding = last(answers).nodes.find((node: { name: string }) => node.name === 'Coding')
      return ['list', { path: [...coding.path, 'Refactoring'] }]
    },
    answers => ['search_tool_by_category', { query: 'rename symbol', category_path: last(answers).path }],
    answers => ['expand_tool', { tool_id: last(answers).results[0].tool_id }],
    answers => {
      const { tool_id, args_schema } = last(answers)
      const args = Object.fromEntries(args_schema.required.map((name: string) => [name, `my-${name}`]))
      return ['call_tool', { tool_id, args }]
    },
    answers => `Done: ${answers.at(-1)!.content}`,
  ])
  const agent = createAgent({ model, tools: createDiscoveryTools(runtime), systemPrompt: discoveryPrompt() })
  const { messages } = await agent.invoke({
    messages: [{ role: 'user', content: 'Rename a symbol across the codebase.' }],
  })
  expect(model.bound).toEqual(['list', 'search_tool_by_category', 'search_nodes', 'expand_tool', 'call_tool'])
  expect(messages.at(-1)?.content).toBe('Done: {"changed_files":3,"diff_preview":"my-symbol -> my-new_name"}')
  const steps = events.filter(event => event.type.startsWith('discovery.'))
  expect(new Set(steps.map(event => event.traceId)).size).toBe(1)
  expect(steps).toHaveLength(5)
})

test('errors come back as messages that a model recovers from', async () => {
  const { runtime } = await makeSeedRuntime()
  const model = new SteppingModel([
    () => ['call_tool', { tool_id: 'storage.put_object' }],
    () => ['list', { path: ['Storge'] }],
    answers => ['list', { path: JSON.parse(/\[.*\]/.exec(last(answers).error.hints[0])![0]) }],
    () => ['list', { wrong: true }],
    () => ['search_tool_by_category', { query: 7 }],
    () => ['expand_tool', { tool_id: 'storage.put_object' }],
    () => ['call_tool', { tool_id: 'storage.put_object' }],
    () => 'fine',
  ])
  const agent = createAgent({ model, tools: createDiscoveryTools(runtime) })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Upload.' }] })
  const answers = messages.filter(message => ToolMessage.isInstance(message)) as ToolMessage[]
  const code = (answer: ToolMessage) => /"code":"(\w+)"/.exec(String(answer.content))?.[1]
  expect(answers.map(answer => [answer.status ?? 'success', code(answer)])).toEqual([
    ['error', 'NOT_EXPANDED'],
    ['error', 'UNKNOWN_PATH'],
    ['success', undefined],
    ['error', 'INVALID_ARGS'],
    ['error', 'INVALID_ARGS'],
    ['success', undefined],
    ['success', undefined],
  ])
  expect(answers.at(-1)?.content).toBe('done')
})

test('tools share the session that is given to them', async () => {
  const runtime = await runtimeOf(manyTools(3))
  const session = runtime.discovery.session()
  const { name } = manyTools(3)[0]!
  await session.expand_tool({ tool_id: name })
  const call = createDiscoveryTools(runtime, { session }).at(-1)!
  expect(await call.invoke({ tool_id: name, args: { invoice_id: '1' } })).toBe('{"done":"archive","of":"1"}')
  expect(await createDiscoveryTools(runtime).at(-1)!.invoke({ tool_id: name })).toContain('NOT_EXPANDED')
})
