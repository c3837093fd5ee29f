// What a call of an HTTP tool adds to a bare undici request to the same local server, both over kept-alive connections.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { createJsonlSink } from '../src/audit/jsonl.ts'
import { type CallScope, callTool } from '../src/call/call-tool.ts'
import { createHttpExecutor } from '../src/executors/http.ts'
import { createHttpClient } from '../src/network/http-client.ts'
import type { Executor, HttpSpec, Skill, Snapshot, Tool } from '../src/types.ts'
import { compare } from './measure.ts'
import { printTable } from './table.ts'

export async function benchHttp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  const server = fork(new URL('./http-server.js', import.meta.url))
  const [port] = (await once(server, 'message')) as [number]
  const host = `127.0.0.1:${port}`

  const agent = new Agent()
  const client = createHttpClient({ allowPrivate: [host] })
  const executor = createHttpExecutor({ client, workspace: folder, outputFile: name => join(folder, name) })
  const audit = createJsonlSink(join(folder, 'audit.jsonl'), () => {})
  const scope: CallScope = {
    snapshot: snapshotOf(host),
    executors: [executor as Executor],
    closing: new AbortController().signal,
    emit: audit.write,
    variable: () => 'token-token-token',
  }

  const times = await compare(
    {
      bare: async () => {
        const { statusCode, body } = await agent.request({
          origin: `http://${host}`,
          path: '/lists/inbox?limit=20',
          method: 'GET',
          headers: { authorization: 'Bearer token-token-token' },
        })
        check(statusCode === 200 && (await body.json()))
      },
      call: async () => {
        const result = await callTool({ toolId: 'records.list', args: { list: 'inbox', limit: 20 } }, scope)
        check(result.ok && result.data)
      },
    },
    { rounds: 5000, warmUp: 10_000 },
  )
  await client.close()
  await agent.close()
  await audit.close()
  server.disconnect()
  rmSync(folder, { recursive: true })

  const ratio = (ms: number) => `${(ms / times.bare).toFixed(2)}×`
  printTable('Call an HTTP tool that answers with 4 KB of JSON (target: at most 1.5× at p50)', [
    ['', 'p50 ms', 'ratio'],
    ['undici request, JSON parsed (baseline)', times.bare.toFixed(3), ratio(times.bare)],
    ['call: validated, guarded, limited, masked, audited to file', times.call.toFixed(3), ratio(times.call)],
  ])
}

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

function check(data: unknown): void {
  if ((data as { records?: unknown[] }).records?.length !== 20) throw new Error(JSON.stringify(data))
}
