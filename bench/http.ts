// What a call of an HTTP tool adds to a bare undici request to the same local server, both over kept-alive connections.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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

const ANSWER = JSON.stringify({
  city: 'Oslo',
  days: Array.from({ length: 7 }, (_, day) => ({ day, high: 20, low: 11 })),
})

export async function benchHttp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length }).end(ANSWER),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

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
          path: '/weather/Oslo?days=7',
          method: 'GET',
          headers: { authorization: 'Bearer token-token-token' },
        })
        check(statusCode === 200 && (await body.json()))
      },
      call: async () => {
        const result = await callTool({ toolId: 'weather.get', args: { city: 'Oslo', days: 7 } }, scope)
        check(result.ok && result.data)
      },
    },
    { rounds: 3000, warmUp: 500 },
  )
  await client.close()
  await agent.close()
  await audit.close()
  server.close()
  rmSync(folder, { recursive: true })

  const ratio = (ms: number) => `${(ms / times.bare).toFixed(2)}×`
  printTable('Call an HTTP tool (target: at most 1.5× at p50)', [
    ['', 'p50 ms', 'ratio'],
    ['undici request, JSON parsed (baseline)', times.bare.toFixed(3), ratio(times.bare)],
    ['call: validated, guarded, limited, masked, audited to file', times.call.toFixed(3), ratio(times.call)],
  ])
}

function snapshotOf(host: string): Snapshot {
  const executor: HttpSpec = {
    type: 'http',
    method: 'GET',
    url: `http://${host}/weather/\${city}`,
    headers: { Authorization: 'Bearer ${env:TOKEN}' },
    body: { as: 'arguments' },
  }
  const inputSchema = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
    additionalProperties: false,
  }
  const rest = { name: 'get', skill: 'weather', description: '', timeoutMs: 30_000, origin: 'tool-manifest' } as const
  const tool: Tool = { id: 'weather.get', inputSchema, executor, ...rest }
  const skill = { id: 'weather', name: 'weather', description: '', folder: '', file: '', source: '' }
  return {
    id: 'bench',
    skills: new Map<string, Skill>([['weather', { ...skill, modelInvocable: true, frontmatter: {} }]]),
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
  if ((data as { city?: string }).city !== 'Oslo') throw new Error(JSON.stringify(data))
}
