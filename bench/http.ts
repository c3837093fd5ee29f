// What a call of an HTTP tool adds to a bare undici request to the same local server, both over kept-alive connections.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { createJsonlSink } from '../src/audit/jsonl.ts'
import { createBreakers } from '../src/call/breakers.ts'
import { type CallScope, callTool } from '../src/call/call-tool.ts'
import { systemClock } from '../src/call/clock.ts'
import { createHttpExecutor } from '../src/executors/http.ts'
import { createHttpClient } from '../src/network/http-client.ts'
import type { Verdict } from '../src/policy/judge.ts'
import { POLICIES } from '../src/policy/policies.ts'
import { createKnownSecrets } from '../src/text/known-secrets.ts'
import type { Executor, HttpSpec, Skill, Snapshot, Tool } from '../src/types.ts'
import { compare } from './measure.ts'
import { printTable } from './table.ts'

const VERDICT: Verdict = {
  policy: POLICIES.balanced,
  because: 'the default',
  imported: false,
  pin: { state: 'unpinned' },
  needsTrust: false,
}

export async function benchHttp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  const server = fork(new URL('./http-server.js', import.meta.url))
  const [port] = (await once(server, 'message')) as [number]
  const host = `127.0.0.1:${port}`

  const agent = new Agent()
  const client = createHttpClient({ allowPrivate: [host] })
  const executor = createHttpExecutor({ client, outputFile: name => join(folder, name) })
  const audit = createJsonlSink(join(folder, 'audit.jsonl'), () => {})
  const scope: CallScope = {
    snapshot: snapshotOf(host),
    executors: [executor as Executor],
    closing: new AbortController().signal,
    emit: audit.write,
    judge: async () => VERDICT,
    hashOf: async () => undefined,
    pinAs: async () => true,
    variables: async () => ({
      variable: () => 'token-token-token',
      environment: {},
      values: ['token-token-token'],
    }),
    known: createKnownSecrets(),
    clock: systemClock,
    breakers: createBreakers(systemClock),
    workspace: folder,
  }

  const rows = []
  for (const limit of [1, 20, 100]) {
    const times = await compare({ bare: () => requestBare(limit), call: () => call(limit) }, ROUNDS)
    const label = `${limit} records (${(JSON.stringify(await requestBare(limit)).length / 1000).toFixed(1)} KB)`
    rows.push([label, times.bare.toFixed(3), times.call.toFixed(3), `${(times.call / times.bare).toFixed(2)}×`])
  }
  await client.close()
  await agent.close()
  await audit.close()
  server.disconnect()
  rmSync(folder, { recursive: true })

  printTable('Call an HTTP tool: validated, guarded, limited, masked, audited to file (target: at most 1.5× at p50)', [
    ['answer', 'undici request p50 ms (baseline)', 'call p50 ms', 'ratio'],
    ...rows,
  ])

  async function requestBare(limit: number): Promise<unknown> {
    const { statusCode, body } = await agent.request({
      origin: `http://${host}`,
      path: `/lists/inbox?limit=${limit}`,
      method: 'GET',
      headers: { authorization: 'Bearer token-token-token' },
    })
    return check(statusCode === 200 && (await body.json()), limit)
  }

  async function call(limit: number): Promise<unknown> {
    const result = await callTool({ toolId: 'records.list', args: { list: 'inbox', limit } }, scope)
    return check(result.ok && result.data, limit)
  }
}

/** Many, so that both are measured as a busy server runs them, fully compiled. */
const ROUNDS = { rounds: 3000, warmUp: 7000 }

function snapshotOf(host: string): Snapshot {
  const executor: HttpSpec = {
    type: 'http',
    method: 'GET',
    url: `http://${host}/lists/\${list}`,
    headers: { Authorization: 'Bearer ${env:TOKEN}' },
    body: { as: 'arguments' },
  }
  const inputSchema = {
    type: 'object',
    properties: { list: { type: 'string' }, limit: { type: 'integer' } },
    required: ['list'],
    additionalProperties: false,
  }
  const rest = { name: 'list', skill: 'records', description: '', timeoutMs: 30_000, origin: 'tool-manifest' } as const
  const tool: Tool = { id: 'records.list', inputSchema, executor, ...rest }
  const skill = { id: 'records', name: 'records', description: '', folder: '', file: '', source: '' }
  return {
    id: 'bench',
    skills: new Map<string, Skill>([['records', { ...skill, modelInvocable: true, frontmatter: {} }]]),
    tools: new Map([[tool.id, tool]]),
    report: {
      tools: [],
      leftOut: [],
      diagnostics: [],
      counts: { skills: 1, ok: 1, invalid: 0, shadowed: 0, leftOut: 0 },
    },
  }
}

function check(data: unknown, limit: number): unknown {
  if ((data as { records?: unknown[] }).records?.length !== limit) throw new Error(JSON.stringify(data))
  return data
}
