// What a call over REST costs beside a bare route of the same framework, with the same client in the same run.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { Agent } from 'undici'
import { createRuntime } from '../src/index.ts'
import { serve } from '../src/servers/serve.ts'
import { median } from './measure.ts'
import { printTable } from './table.ts'

const ROUNDS = 9
const REQUESTS = 1000
const AT_ONCE = 16

export async function benchServers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  const tools = [{ name: 'noop', description: 'Does nothing.', inputSchema: { type: 'object' }, run: () => 'done' }]
  const runtime = await createRuntime({ tools, defaultSources: false, workspace: folder })
  const serving = await serve(runtime, { rateLimit: { perSecond: 1e6, burst: 1e6 }, grpcPort: false })
  const app = new Hono()
  app.post('/call', async context => context.json({ ok: true, data: 'done', args: await context.req.json() }))
  const bare = createServer(getRequestListener(app.fetch))
  await new Promise<void>(resolve => bare.listen(0, '127.0.0.1', resolve))
  const agent = new Agent({ connections: AT_ONCE })

  const bareUrl = new URL(`http://127.0.0.1:${(bare.address() as AddressInfo).port}/call`)
  const callUrl = new URL(`${serving.addresses.rest}/tools/noop/call`)
  const rates: Record<'bare' | 'call', number[]> = { bare: [], call: [] }
  for (let round = -2; round < ROUNDS; round++) {
    const [one, other] = [await rate(bareUrl), await rate(callUrl)]
    if (round < 0) continue
    rates.bare.push(one)
    rates.call.push(other)
  }
  await agent.close()
  bare.close()
  await serving.close({ graceMs: 0 })
  rmSync(folder, { recursive: true })

  const [base, ours] = [median(rates.bare), median(rates.call)]
  printTable(`Call a no-op tool over REST, ${AT_ONCE} at once, client in the same process`, [
    ['', 'calls a second', 'ratio'],
    ['bare Hono route that reads and writes JSON (baseline)', base.toFixed(0), '1.00×'],
    ['POST /v1/tools/noop/call: admitted, validated, audited to file', ours.toFixed(0), `${(ours / base).toFixed(2)}×`],
  ])

  async function rate(url: URL): Promise<number> {
    const start = performance.now()
    let left = REQUESTS
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await request(url)
      }),
    )
    return (REQUESTS / (performance.now() - start)) * 1000
  }

  async function request(url: URL): Promise<void> {
    const { statusCode, body } = await agent.request({
      origin: url.origin,
      path: url.pathname,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"args":{"a":1}}',
    })
    const answer = (await body.json()) as { data?: unknown }
    if (statusCode !== 200 || answer.data !== 'done') throw new Error(JSON.stringify(answer))
  }
}
