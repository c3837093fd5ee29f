// Hosts that a policy grants, through a whole call: the runtime, the sandbox, the relay, the proxy, and what the error says.
import { expect } from 'vitest'
import { extendPolicy, type Policy } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'
import { serve } from '../support/server.ts'

const ASKS = `import sys, urllib.request
try:
    print(urllib.request.urlopen(sys.argv[1], timeout=5).read().decode())
except Exception as error:
    print(error, file=sys.stderr)
    sys.exit(3)
`

async function makeAsking(policy: Policy, allowPrivate: readonly string[]) {
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/scripts/ask.py': ASKS })
  const runtime = await makeRuntime(folder, { policies: [{ skill: 's', policy }], allowPrivate })
  return (url: string) => runtime.call({ toolId: 's.ask', commandLine: [url] })
}

const granting = (...network: string[]) => extendPolicy({ extends: 'strict', network }, 'mine')

test('a script reaches the host that its policy grants, and the result says what it ran under', async () => {
  const { port } = await serve((_, response) => response.end('hello'))
  const ask = await makeAsking(granting(`localhost:${port}`), [`localhost:${port}`])
  const first = await ask(`http://localhost:${port}/`)
  expect(first).toMatchObject({ ok: true, data: 'hello' })
  expect(first.meta.ranUnder).toEqual({ policy: 'mine', sandbox: 'bubblewrap', start: 'cold' })
  // The third would find a warm interpreter, if it could use one.
  for (let i = 0; i < 2; i++) expect(await ask(`http://localhost:${port}/`)).toMatchObject({ ok: true, data: 'hello' })
})

test('it reaches no other port, no other host, and no private address that is not allowed too', async () => {
  const granted = await serve((_, response) => response.end('hello'))
  const other = await serve((_, response) => response.end('secret'))
  const ask = await makeAsking(granting(`localhost:${granted.port}`), [`localhost:${granted.port}`])
  const refused = await ask(`http://localhost:${other.port}/`)
  expect(refused).toMatchObject({ ok: false, error: { code: 'SCRIPT_FAILED' } })
  const hints = !refused.ok && refused.error.hints.join()
  expect(hints).toContain(`"localhost:${other.port}"`)
  expect(hints).toContain('`network`')
  expect(await ask(`http://127.0.0.1:${granted.port}/`)).toMatchObject({ ok: false })
  expect(other.received).toEqual([])

  const privately = await makeAsking(granting(`localhost:${other.port}`), [])
  expect(await privately(`http://localhost:${other.port}/`)).toMatchObject({
    ok: false,
    error: { hints: expect.arrayContaining([expect.stringContaining('allowPrivate')]) },
  })
  expect(other.received).toEqual([])
})

test('without a grant there is nothing to connect to, and the error says which rule it was', async () => {
  const { port, received } = await serve((_, response) => response.end('hello'))
  const ask = await makeAsking(granting(), [`localhost:${port}`])
  expect(await ask(`http://localhost:${port}/`)).toMatchObject({
    ok: false,
    error: { hints: [expect.stringMatching(/policy mine gives it no network.*trust s --network/)] },
  })
  expect(received).toEqual([])
})

test('`requests: none` refuses HTTP tools, and a list of hosts refuses redirects that leave it', async () => {
  const target = await serve((_, response) => response.end('secret'))
  const { port, url, received } = await serve((_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end(),
  )
  const manifest = `tools:\n  - { name: ask, executor: { type: http, method: GET, url: "${url}/" } }\n`
  const folder = makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest })
  const allowPrivate = [`127.0.0.1:${port}`, `127.0.0.1:${target.port}`]
  const call = async (requests: Policy['requests']) => {
    const policy = extendPolicy({ extends: 'strict', requests }, 'mine')
    const runtime = await makeRuntime(folder, { policies: [{ skill: 's', policy }], allowPrivate })
    return runtime.call({ toolId: 's.ask' })
  }
  expect(await call('none')).toMatchObject({
    ok: false,
    error: { code: 'POLICY_DENIED', message: expect.stringContaining(`trust s --network 127.0.0.1:${port}`) },
    meta: { ranUnder: { policy: 'mine', sandbox: 'none' } },
  })
  expect(received).toEqual([])
  expect(await call([`127.0.0.1:${port}`])).toMatchObject({
    ok: false,
    error: { code: 'POLICY_DENIED', message: expect.stringContaining(`127.0.0.1:${target.port}`) },
  })
  expect(target.received).toEqual([])
  expect(await call([`127.0.0.1:${port}`, `127.0.0.1:${target.port}`])).toMatchObject({ ok: true, data: 'secret' })
})
