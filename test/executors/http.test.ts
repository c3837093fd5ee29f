import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { CallUpdate } from '../../src/types.ts'
import { makeFolder } from '../support/folders.ts'
import { answer, dataOf, errorOf, json, makeHttp, serve } from '../support/http.ts'

/** A server that answers `{}` and an executor that may reach it. */
async function echo(setup: Parameters<typeof makeHttp>[0] = {}) {
  const server = await serve(json({}))
  return { ...server, ...makeHttp({ allowPrivate: [server.host], ...setup }) }
}

describe('the request', () => {
  test.each(['GET', 'HEAD', 'DELETE'])('%s: arguments that the URL does not use become the query', async method => {
    const { call, origin, seen } = await echo()
    const args = { id: 'a/b?c', q: 'x & y', tag: ['1', 2, null], deep: { k: [1] }, none: null, flag: false }
    dataOf(await call({ method, url: `${origin}/items/\${id}?fixed=1%202` }, args))
    const query = 'fixed=1%202&q=x+%26+y&tag=1&tag=2&deep=%7B%22k%22%3A%5B1%5D%7D&flag=false'
    expect([seen[0]!.method, seen[0]!.url, seen[0]!.body.length]).toEqual([method, `/items/a%2Fb%3Fc?${query}`, 0])
  })

  test.each(['POST', 'PUT', 'PATCH'])('%s: they become a JSON body', async method => {
    const { call, origin, seen } = await echo()
    dataOf(await call({ method, url: `${origin}/\${id}` }, { id: 1, text: 'ü"', list: [1, { a: null }] }))
    expect(JSON.parse(String(seen[0]!.body))).toEqual({ text: 'ü"', list: [1, { a: null }] })
    expect([seen[0]!.url, seen[0]!.headers['content-type']]).toEqual(['/1', 'application/json'])
  })

  test('a JSON template keeps types, and JSON text is escaped', async () => {
    const { call, origin, seen } = await echo()
    const spec = { method: 'POST', url: origin, headers: { 'Content-Type': 'application/vnd.x+json' } }
    const args = { a: '"},{"x":1', list: [1, 2], n: 5 }
    dataOf(await call({ ...spec, body: { as: 'json', template: { v: '${a}', l: '${list}', n: ['${n}'] } } }, args))
    dataOf(await call({ ...spec, body: { as: 'json', template: '{"v": "<${a}>", "l": ${list}}' } }, args))
    expect(seen.map(({ body }) => JSON.parse(String(body)))).toEqual([
      { v: args.a, l: [1, 2], n: [5] },
      { v: `<${args.a}>`, l: [1, 2] },
    ])
    expect(seen[0]!.headers['content-type']).toBe('application/vnd.x+json')
    const broken = await call({ ...spec, body: { as: 'json', template: '{"v": ${a}' } }, args)
    expect(errorOf(broken)).toMatchObject({ code: 'INVALID_ARGS', message: expect.stringContaining('no JSON') })
    expect(seen).toHaveLength(2)
  })

  test('form and text', async () => {
    const { call, origin, seen } = await echo()
    const spec = { method: 'POST', url: origin }
    dataOf(await call({ ...spec, body: { as: 'form', fields: { a: '${x}', 'b&': 'c' } } }, { x: '1&2=ü' }))
    dataOf(await call({ ...spec, body: { as: 'text', template: 'Hello ${x}' } }, { x: 'ü\n' }))
    expect(seen.map(({ headers, body }) => [headers['content-type'], String(body)])).toEqual([
      ['application/x-www-form-urlencoded', 'a=1%262%3D%C3%BC&b%26=c'],
      ['text/plain; charset=utf-8', 'Hello ü\n'],
    ])
  })

  test('multipart uploads files of the workspace as they are', async () => {
    const workspace = makeFolder()
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) & 0xff))
    writeFileSync(join(workspace, 'a "b".bin'), bytes)
    writeFileSync(join(workspace, 'empty'), '')
    const { call, origin, seen } = await echo({ workspace })
    const fields = { note: '${note}', file: '@${path}', none: '@empty', 'x"\r\ny': '1' }
    const spec = { method: 'POST', url: origin, headers: { 'content-type': 'no/boundary' } }
    const note = '@/etc/passwd'
    dataOf(await call({ ...spec, body: { as: 'multipart', fields } }, { note, path: 'a "b".bin' }))

    const { headers, body } = seen[0]!
    expect(Number(headers['content-length'])).toBe(body.length)
    const form = await new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData()
    expect(form.get('note')).toBe('@/etc/passwd')
    const file = form.get('file') as File
    expect([file.name, (form.get('none') as File).size, form.get('x"\r\ny')]).toEqual(['a "b".bin', 0, '1'])
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('a redirect on the same origin gets the files again', async () => {
    const workspace = makeFolder({ 'a.txt': 'the file' })
    const server = await serve(({ url }, response) =>
      url === '/' ? response.writeHead(307, { location: '/x' }).end() : response.end('ok'),
    )
    const { call } = makeHttp({ allowPrivate: [server.host], workspace })
    const body = { as: 'multipart', fields: { f: '@a.txt' } } as const
    expect(dataOf(await call({ method: 'POST', url: server.origin, body }))).toBe('ok')
    expect(String(server.seen[1]!.body)).toContain('the file')
    expect(server.seen[1]!.body).toEqual(server.seen[0]!.body)
  })

  test('only what lies in the workspace is uploaded', async () => {
    const outside = makeFolder({ 'secret.txt': 'secret' })
    const workspace = makeFolder({ 'in.txt': 'in' })
    mkdirSync(join(workspace, 'folder'))
    symlinkSync(join(outside, 'secret.txt'), join(workspace, 'link.txt'))
    symlinkSync(outside, join(workspace, 'linked'))
    const { call, origin, connections } = await echo({ workspace })
    const body = { as: 'multipart', fields: { ok: '@in.txt', f: '@${path}' } } as const
    const paths = [join(outside, 'secret.txt'), '../x', 'link.txt', 'linked/secret.txt', 'folder', 'missing', '\0', '']
    for (const path of paths)
      expect(errorOf(await call({ method: 'POST', url: origin, body }, { path })).code).toBe('INVALID_ARGS')
    expect(connections()).toBe(0)
  })

  test('headers are templates, and cannot hold a line end or frame the message', async () => {
    const { call, origin, seen } = await echo()
    dataOf(await call({ url: origin, headers: { 'X-A': '<${a}>', 'User-Agent': 'mine' } }, { a: 'b' }))
    expect(seen[0]!.headers).toMatchObject({ 'x-a': '<b>', 'user-agent': 'mine' })
    const split = await call({ url: origin, headers: { 'x-a': '${a}' } }, { a: 'b\r\nX-B: c' })
    expect(errorOf(split).code).toBe('INVALID_ARGS')
    for (const name of ['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'a b', 'x\r\ny', ''])
      expect(errorOf(await call({ url: origin, headers: { [name]: '1' } })).message).toContain('may not set the header')
    for (const method of ['CONNECT', 'TRACE', 'GET / HTTP/1.1', ''])
      expect(errorOf(await call({ url: origin, method })).message).toContain('no method')
    expect(seen).toHaveLength(1)
  })

  test('what is missing, not granted or no URL is told before anything is sent', async () => {
    const { call, origin, connections } = await echo()
    expect(errorOf(await call({ url: `${origin}/\${id}` }))).toMatchObject({
      code: 'INVALID_ARGS',
      message: expect.stringContaining('id is needed'),
    })
    expect(errorOf(await call({ url: origin, headers: { a: '${env:NOPE}' } })).code).toBe('ENV_NOT_GRANTED')
    expect(errorOf(await call({ url: 'http://${host}/' }, { host: 'a/b' })).code).toBe('INVALID_ARGS')
    expect(errorOf(await call({ url: `${origin}/\${broken` })).message).toContain('declared wrongly')
    expect(connections()).toBe(0)
  })
})

describe('the answer', () => {
  const get = async (handler: Parameters<typeof serve>[0], onUpdate?: (update: CallUpdate) => void) => {
    const server = await serve(handler)
    const http = makeHttp({ allowPrivate: [server.host] })
    return { ...http, outcome: await http.call({ url: server.origin }, {}, onUpdate ? { onUpdate } : {}) }
  }

  test.each([
    ['application/json', '{"a":[1]}', { a: [1] }],
    ['application/problem+json; charset=utf-8', '1', 1],
    ['application/json', '', null],
    ['application/json', '{broken', '{broken'],
    ['text/html; charset=utf-8', '<p>ü</p>\n', '<p>ü</p>\n'],
    ['text/plain; charset="ISO-8859-1"', Buffer.from('gr\xfc\xdfe', 'latin1'), 'grüße'],
    ['text/plain; charset=utf-16le', Buffer.from('grüße', 'utf16le'), 'grüße'],
    ['text/plain; charset=nonsense', 'ü', 'ü'],
    ['application/xml', '<a/>', '<a/>'],
    ['image/svg+xml', '<svg/>', '<svg/>'],
  ])('%s: %s', async (type, body, data) => {
    const { outcome } = await get(answer(body, { 'content-type': type }))
    expect(dataOf(outcome)).toEqual(data)
  })

  test('without a type it is text', async () => {
    expect(dataOf((await get(answer('hello'))).outcome)).toBe('hello')
  })

  test('what is no text becomes a file', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0, 1, 2, 255])
    const { outcome, outputs } = await get(answer(bytes, { 'content-type': 'image/png' }))
    const file = join(outputs, 'call.png')
    expect(dataOf(outcome)).toEqual({ file, contentType: 'image/png', bytes: 6 })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  test('long text is cut, and kept whole in a file', async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `line ${i} ü`).join('\n')
    const { outcome } = await get(answer(JSON.stringify(text), { 'content-type': 'application/json' }))
    const data = dataOf(outcome) as string
    expect(Buffer.byteLength(data)).toBeLessThan(101 * 1024)
    expect(data).toMatch(/^"line 0 ü.*bytes left out here; the whole is in .*line 19999 ü"$/s)
    expect(readFileSync(outcome.outputFile!, 'utf8')).toBe(JSON.stringify(text))
  })

  test('{ok, data, error} counts for what it says', async () => {
    expect(dataOf((await get(json({ ok: true, data: [1] }))).outcome)).toEqual([1])
    const failed = errorOf((await get(json({ ok: false, error: { message: 'no such city' } }))).outcome)
    expect(failed).toMatchObject({ code: 'HTTP_FAILED', message: 'no such city', again: undefined })
    expect(dataOf((await get(json({ ok: true }))).outcome)).toEqual({ ok: true })
  })

  test.each(['text/event-stream', 'application/x-ndjson', 'text/plain'])('%s is told while it arrives', async type => {
    const heard: string[] = []
    const { outcome } = await get(
      async (_, response) => {
        response.writeHead(200, { 'content-type': type })
        for (let i = 0; i < 3; i++) {
          response.write(`data: ${i}\n\n`)
          // The next piece is sent only once this one was heard.
          while (!heard.join('').includes(`data: ${i}`)) await setTimeout(2)
        }
        const [first, second] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)]
        response.write(first)
        await setTimeout(20)
        response.end(second)
      },
      update => heard.push(update.type === 'output' ? update.text : ''),
    )
    expect(dataOf(outcome)).toBe('data: 0\n\ndata: 1\n\ndata: 2\n\nü')
    expect(heard).toEqual(['data: 0\n\n', 'data: 1\n\n', 'data: 2\n\n', 'ü'])
  })

  test('an ordinary answer is not told piece by piece', async () => {
    const heard: CallUpdate[] = []
    await get(json({ a: 1 }), update => heard.push(update))
    await get(answer('text', { 'content-length': '4' }), update => heard.push(update))
    expect(heard).toEqual([])
  })

  test('HEAD gives status and headers', async () => {
    const server = await serve(answer('', { 'content-length': '1234', etag: '"x"' }))
    const { call } = makeHttp({ allowPrivate: [server.host] })
    expect(dataOf(await call({ method: 'HEAD', url: server.origin }))).toMatchObject({
      status: 200,
      headers: { 'content-length': '1234', etag: '"x"' },
    })
  })
})

describe('a failure', () => {
  test.each([400, 401, 403, 404, 409, 422, 501])('status %d is told with what the server says', async status => {
    const server = await serve(json({ problem: `it is ${status}` }, status))
    const { call } = makeHttp({ allowPrivate: [server.host] })
    const error = errorOf(await call({ url: `${server.origin}/path?q=1` }))
    expect(error).toMatchObject({ code: 'HTTP_FAILED', again: undefined })
    expect(error.message).toContain(`GET ${server.origin}/path answered with status ${status}`)
    expect(error.message).toContain(`it is ${status}`)
    expect(error.nextAction).not.toBe('')
  })

  test.each([408, 425, 429, 500, 502, 503, 504])('status %d may pass', async status => {
    const server = await serve(answer('', {}, status))
    const outcome = await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin })
    expect(errorOf(outcome).again).toEqual({})
  })

  test.each([
    ['7', 7000, 7000],
    [new Date(Date.now() + 60_000).toUTCString(), 50_000, 60_000],
    [new Date(0).toUTCString(), 0, 0],
  ])('Retry-After: %s', async (value, least, most) => {
    const server = await serve(answer('', { 'retry-after': value }, 429))
    const { again } = errorOf(await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin }))
    expect(again?.afterMs).toBeGreaterThanOrEqual(least)
    expect(again?.afterMs).toBeLessThanOrEqual(most)
  })

  test('Retry-After: nonsense is left out', async () => {
    const server = await serve(answer('', { 'retry-after': 'soon' }, 503))
    expect(errorOf(await makeHttp({ allowPrivate: [server.host] }).call({ url: server.origin })).again).toEqual({})
  })

  test('a long bad answer is cut, a binary one left out', async () => {
    const long = await serve(answer('x'.repeat(5_000_000), {}, 400))
    const binary = await serve(answer(Buffer.alloc(5000, 1), { 'content-type': 'image/png' }, 400))
    const { call } = makeHttp({ allowPrivate: [long.host, binary.host] })
    expect(errorOf(await call({ url: long.origin })).message.length).toBeLessThan(2200)
    expect(errorOf(await call({ url: binary.origin })).message).toMatch(/status 400\.$/)
  })

  test('a server that is not there, or hangs up, may be there later', async () => {
    const gone = await serve((_, response) => response.destroy())
    const half = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100', 'content-type': 'application/json' }).write('{"a":')
      setTimeout(20).then(() => response.destroy())
    })
    const { call } = makeHttp({ allowPrivate: ['127.0.0.1'] })
    for (const url of ['http://127.0.0.1:1/', gone.origin, half.origin])
      expect(errorOf(await call({ url }))).toMatchObject({ code: 'HTTP_FAILED', again: {} })
  })

  test('a name that does not exist will not exist later', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))
    const outcome = await makeHttp({ resolve }).call({ url: 'http://nowhere.example' })
    expect(errorOf(outcome)).toMatchObject({ code: 'HTTP_FAILED', again: undefined })
  })
})
