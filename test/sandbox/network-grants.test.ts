// Programs in a real sandbox without a network, and what they reach through the proxy: only what is granted.
import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openGrantedNetwork } from '../../src/executors/granted-network.ts'
import { toOutcome } from '../../src/executors/program-outcome.ts'
import { createProxies } from '../../src/network/proxies.ts'
import { minimalEnvironment } from '../../src/process/environment.ts'
import { createInterpreters } from '../../src/process/interpreters.ts'
import { runProcess } from '../../src/process/run-process.ts'
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts'
import { makeFolder } from '../support/folders.ts'
import { serve } from '../support/server.ts'

const canSandbox = (await probeSandbox()).kind === 'bubblewrap'
const interpreters = createInterpreters(process.env)
const hello = () => serve((request, response) => response.end(`hello ${request.method} ${request.url} ${request.body}`))

type Options = { readonly allowPrivate?: readonly string[]; readonly timeoutMs?: number; readonly stdin?: string }

/** Runs a script inside, with these hosts granted. */
async function run(
  language: 'python' | 'shell' | 'javascript',
  code: string,
  grants: readonly string[],
  options: Options = {},
) {
  const { allowPrivate = grants, timeoutMs = 20_000, stdin } = options
  const folder = makeFolder({ script: code })
  const interpreter = await interpreters.find({ language })
  if (!interpreter.found) throw new Error(`no ${language} here`)
  const proxies = createProxies({ allowPrivate })
  onTestFinished(() => proxies.close())
  const network = await openGrantedNetwork(proxies, {
    grants,
    program: { command: interpreter.command, args: [...interpreter.args, join(folder, 'script')] },
    confinement: {
      read: [folder],
      write: [],
      hide: [],
      protect: [],
      network: 'none',
      limits: { processes: 64, memoryMb: 512 },
    },
  })
  onTestFinished(() => network.close())
  const run = await runProcess({
    ...network.program,
    confinement: network.confinement,
    cwd: folder,
    env: minimalEnvironment(process.env),
    timeoutMs,
    signal: new AbortController().signal,
    callId: `network-grants-${Math.random()}`,
    stdout: { keep: 100_000 },
    stderr: { keep: 100_000 },
    ...(stdin !== undefined && { stdin }),
  })
  const ranUnder = { policy: 'own', sandbox: run.sandbox, start: run.start }
  const outcome = toOutcome({ ok: true, run, ranUnder, hints: network.hints() }, { label: 'script', timeoutMs })
  return {
    end: run.end,
    stdout: run.stdout.text,
    stderr: run.stderr.text,
    hints: outcome.ok ? [] : outcome.error.hints,
  }
}

const tried = (host: string) => [expect.stringContaining(`It tried to reach ${host}, which is not granted.`)]

/** A server with a certificate of its own making. */
async function helloSecurely() {
  const folder = makeFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
      ...[
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost,IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
    ],
    { stdio: 'pipe' },
  )
  const pem = readFileSync(cert, 'utf8')
  const server = createHttpsServer({ key: readFileSync(key), cert: pem }, (_, response) =>
    response.end('hello securely'),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, pem }
}

const CLIENTS = {
  'fetch of node': [
    'javascript',
    (url: string) =>
      `fetch(${JSON.stringify(url)}, { method: 'POST', body: 'x' }).then(async r => console.log(r.status, await r.text()))`,
  ],
  'urllib of python': [
    'python',
    (url: string) =>
      `import urllib.request as u\nr = u.urlopen(${JSON.stringify(url)}, data=b"x")\nprint(r.status, r.read().decode())`,
  ],
  curl: ['shell', (url: string) => `curl -sS --fail-with-body -w ' %{http_code}' -d x ${url}`],
} as const

test.skipIf(!canSandbox).each(Object.entries(CLIENTS))(
  '%s reaches a granted host and no other',
  async (_, [language, script]) => {
    const granted = await hello()
    const other = await hello()
    const well = await run(language, script(`${granted.url}/a?b`), [granted.host])
    expect({ ...well, stdout: well.stdout.trim() }).toMatchObject({
      end: { how: 'exited', code: 0 },
      stdout: expect.stringContaining('hello POST /a?b x'),
      hints: [],
    })

    const [, port] = granted.host.split(':')
    const badly = await run(language, script(`${other.url}/`), [granted.host], {
      allowPrivate: [granted.host, other.host],
    })
    expect(badly.stdout).not.toContain('hello')
    expect(badly.hints).toEqual(tried(other.host))
    const renamed = await run(language, script(`http://localhost:${port}/`), [granted.host])
    expect(renamed.stdout).not.toContain('hello')
    expect(renamed.hints).toEqual(tried(`localhost:${port}`))
    expect(other.received).toEqual([])
  },
)

test.skipIf(!canSandbox)('what is encrypted goes end to end', async () => {
  const { host, pem } = await helloSecurely()
  const scripts = {
    javascript: `fetch('https://${host}/', {}).then(async r => console.log(await r.text()), e => console.log(String(e.cause)))`,
    python: `import ssl, urllib.request as u\nc = ssl.create_default_context(cadata=${JSON.stringify(pem)})\nprint(u.urlopen("https://${host}/", context=c).read().decode())`,
    shell: `cat > /tmp/ca.pem <<'END'\n${pem}END\ncurl -sS --cacert /tmp/ca.pem https://${host}/`,
  } as const
  expect((await run('python', scripts.python, [host])).stdout).toContain('hello securely')
  expect((await run('shell', scripts.shell, [host])).stdout).toContain('hello securely')
  // Node sees the server's own certificate, not one of the proxy's, and does not trust it.
  expect((await run('javascript', scripts.javascript, [host])).stdout).toContain('self-signed certificate')
  const refused = await run('python', scripts.python, ['127.0.0.1:1'], { allowPrivate: ['127.0.0.1'] })
  expect(refused.stderr).toContain(`403 network: host ${host} is not granted to this tool; granted: 127.0.0.1:1`)
})

test.skipIf(!canSandbox)(
  'without the proxy there is no way out: not by address, by IPv6, nor by UDP, which names are looked up with',
  async () => {
    const { host } = await hello()
    const six = createServer(socket => socket.end('hello'))
    await new Promise<void>(resolve => six.listen(0, '::1', resolve))
    onTestFinished(() => void six.close())
    const { port: port6 } = six.address() as AddressInfo
    const udp = createSocket('udp4', (message, from) => udp.send(message, from.port, from.address))
    await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve))
    onTestFinished(() => void udp.close())
    const [, port] = host.split(':')
    const { stdout, end } = await run(
      'python',
      `
import socket
def reach(family, kind, address, first=b""):
  try:
    one = socket.socket(family, kind); one.settimeout(2); one.connect(address)
    if first: one.send(first); one.recv(10)
    return "reached"
  except OSError as error: return "no"
print(reach(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", ${port})))
print(reach(socket.AF_INET6, socket.SOCK_STREAM, ("::1", ${port6})))
print(reach(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", ${udp.address().port}), b"x"))
`,
      [host],
    )
    expect({ end, stdout }).toEqual({ end: { how: 'exited', code: 0 }, stdout: 'no\nno\nno\n' })
  },
)

test.skipIf(!canSandbox)('the relay is not noticed: arguments, stdin, exit code, and signals', async () => {
  const echo = await run('shell', 'cat; echo "$HTTP_PROXY" | cut -c1-17 >&2; exit 7', ['x.test'], { stdin: 'given' })
  expect(echo).toMatchObject({ end: { how: 'exited', code: 7 }, stdout: 'given', stderr: 'http://127.0.0.1:\n' })
  const killed = await run('shell', 'kill -KILL $$', ['x.test'])
  expect(killed.end).toEqual({ how: 'exited', code: 128 + 9 })
  const stopped = await run(
    'shell',
    "trap 'echo ended; exit 3' TERM; echo begun; while :; do sleep 0.05; done",
    ['x.test'],
    { timeoutMs: 1500 },
  )
  expect(stopped).toMatchObject({ end: { how: 'timeout' }, stdout: 'begun\nended\n' })
})
