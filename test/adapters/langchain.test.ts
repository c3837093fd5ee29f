import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { createAgent } from 'langchain'
import { expect, test } from 'vitest'
import { createLangchainTools } from '../../src/adapters/langchain.ts'
import { ScriptExecutionError } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

const EXAMPLES = new URL('../../examples/skills', import.meta.url).pathname

/** A chat model that plays a fixed part and keeps what it was shown. */
class ScriptedModel extends BaseChatModel {
  readonly seen: BaseMessage[][] = []
  readonly bound: string[] = []
  private readonly part: AIMessage[]

  constructor(part: AIMessage[]) {
    super({})
    this.part = part
  }

  override _llmType(): string {
    return 'scripted'
  }

  override bindTools(tools: { name?: string }[]) {
    this.bound.push(...tools.map(tool => tool.name ?? ''))
    return this as never
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.seen.push(messages)
    const message = this.part[this.seen.length - 1] ?? new AIMessage('nothing left to say')
    return { generations: [{ text: String(message.content), message }] }
  }
}

const ask = (id: string, name: string, args: Record<string, unknown>) =>
  new AIMessage({ content: '', tool_calls: [{ id, name, args, type: 'tool_call' }] })

test('an agent calls scripts and prompts, and recovers from a failure', async () => {
  const runtime = await makeRuntime(EXAMPLES)
  const tools = await createLangchainTools(runtime)
  const model = new ScriptedModel([
    ask('1', 'calculator', { arguments: 'add two numbers' }),
    ask('2', 'calculator__add', { arguments: ['2', 'x'] }),
    ask('3', 'calculator__add', { arguments: ['2', '40'] }),
    ask('4', 'data-plugin_csv__summary', { arguments: ['missing.csv'] }),
    new AIMessage('It is 42.'),
  ])
  const agent = createAgent({ model, tools })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'What is 2 + 40?' }] })

  const answers = messages.filter(message => ToolMessage.isInstance(message)) as ToolMessage[]
  expect(answers.map(answer => [answer.tool_call_id, answer.status ?? 'success'])).toEqual([
    ['1', 'success'],
    ['2', 'error'],
    ['3', 'success'],
    ['4', 'error'],
  ])
  expect(answers[0]?.content).toContain('The task: add two numbers')
  expect(answers[1]?.content).toContain('every argument must be a number')
  expect(answers[2]?.content).toBe('42')
  expect(messages.at(-1)?.content).toBe('It is 42.')
  expect(model.bound).toContain('data-plugin_csv__summary')
})

test('every skill gives one prompt tool and one tool per script, each bound to its own', async () => {
  const folder = makeFolder({
    'a/SKILL.md': skillMd('a'),
    'a/scripts/one.sh': 'echo one',
    'a/scripts/two.sh': 'echo two',
    'b/SKILL.md': skillMd('b'),
  })
  const tools = await createLangchainTools(await makeRuntime(folder))
  expect(tools.map(tool => tool.name)).toEqual(['a', 'a__one', 'a__two', 'b'])
  expect(await Promise.all(tools.slice(1, 3).map(tool => tool.invoke({})))).toEqual(['one', 'two'])
})

test('without a tool call a failure is thrown', async () => {
  const folder = makeFolder({ 'a/SKILL.md': skillMd('a'), 'a/x.sh': 'echo why >&2; exit 3' })
  const tools = await createLangchainTools(await makeRuntime(folder))
  const failure = tools.find(tool => tool.name === 'a__x')!.invoke({})
  await expect(failure).rejects.toBeInstanceOf(ScriptExecutionError)
  await expect(failure).rejects.toMatchObject({ exitCode: 3, stderr: 'why' })
})
