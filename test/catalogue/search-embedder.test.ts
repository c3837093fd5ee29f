import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHttpEmbedder } from '../../src/adapters/http-embedder.ts'
import type { Embedder } from '../../src/catalogue/embedder.ts'
import { createSearchIndex, type SearchDocument } from '../../src/catalogue/search-index.ts'
import { makeFolder } from '../support/folders.ts'
import { serve } from '../support/server.ts'

const TOOLS: SearchDocument[] = [
  tool('shop.buy', 'purchase_article', 'Purchases an article.'),
  tool('mail.send', 'send_email', 'Sends a message.'),
  tool('zoo.feed', 'feed_animal', 'Feeds an animal.'),
]

test('a model finds what no word of the query names', async () => {
  const index = indexOf(modelOf())
  expect(index.search('kaufen', { limit: 3 })).toEqual([])
  const hits = await index.searchWithEmbedder('kaufen', { limit: 1 })
  expect(hits.map(hit => hit.id)).toEqual(['shop.buy'])
})

test('the weight decides between words and model', async () => {
  const query = 'kaufen email'
  const first = async (weight: number) => {
    const [hit] = await indexOf(modelOf(), { weight }).searchWithEmbedder(query, { limit: 1 })
    return hit?.id
  }
  expect(await first(0.2)).toBe('mail.send')
  expect(await first(5)).toBe('shop.buy')
  expect(() => createSearchIndex({ embedder: { model: modelOf(), weight: Number.NaN } })).toThrow(TypeError)
})

test('each text is embedded once, and again only when it changes', async () => {
  const asked: string[] = []
  const index = indexOf(modelOf(asked))
  await Promise.all([
    index.searchWithEmbedder('kaufen', { limit: 1 }),
    index.searchWithEmbedder('kaufen', { limit: 1 }),
  ])
  await index.searchWithEmbedder('kaufen', { limit: 1 })
  expect(asked.filter(text => text.startsWith('purchase_article'))).toHaveLength(1)
  index.update({ put: [tool('mail.send', 'send_letter', 'Sends paper.')], remove: ['shop.buy'] })
  const before = asked.length
  const hits = await index.searchWithEmbedder('kaufen', { limit: 9 })
  expect(asked.slice(before)).toEqual(['send_letter\nSends paper.\n'])
  expect(hits.map(hit => hit.id)).not.toContain('shop.buy')
})

test('vectors are kept in a folder by content, a broken file is embedded anew', async () => {
  const cacheFolder = join(makeFolder({}), 'vectors')
  await indexOf(modelOf(), { cacheFolder }).searchWithEmbedder('kaufen', { limit: 1 })
  const files = readdirSync(cacheFolder)
  expect(files).toHaveLength(TOOLS.length)
  const asked: string[] = []
  await indexOf(modelOf(asked), { cacheFolder }).searchWithEmbedder('kaufen', { limit: 1 })
  expect(asked).toEqual(['kaufen'])

  writeFileSync(join(cacheFolder, files[0]!), 'xyz')
  const again: string[] = []
  await indexOf(modelOf(again), { cacheFolder }).searchWithEmbedder('kaufen', { limit: 1 })
  expect(again).toHaveLength(2)
})

test.each<[string, Embedder['embed']]>([
  ['rejects', () => Promise.reject(new Error('no credit'))],
  ['gives too few vectors', async () => [[1, 0]]],
  ['gives no numbers', async texts => texts.map(() => [Number.NaN, 1])],
])('a model that %s is told of, and words alone answer', async (_, embed) => {
  const errors: unknown[] = []
  const index = indexOf({ name: 'broken', embed }, { onError: error => errors.push(error) })
  const options = { limit: 3 }
  expect(await index.searchWithEmbedder('send email', options)).toEqual(index.search('send email', options))
  expect(errors).toHaveLength(1)
})

test('a hidden tool leaves no trace with a model either', async () => {
  const accept = (id: string) => id !== 'shop.buy'
  const without = createSearchIndex({ embedder: { model: modelOf() } })
  without.update({ put: TOOLS.filter(({ id }) => accept(id)), remove: [] })
  const hits = await indexOf(modelOf()).searchWithEmbedder('kaufen email', { limit: 9, accept })
  expect(hits).toEqual(await without.searchWithEmbedder('kaufen email', { limit: 9 }))
})

test('an HTTP embedder sends texts and key, and puts the vectors in the order of their index', async () => {
  const server = await serve((request, response) => {
    const { input } = JSON.parse(request.body) as { input: string[] }
    const data = input.map((text, index) => ({ index, embedding: [text.length, 1] })).reverse()
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
  })
  const embedder = createHttpEmbedder({
    url: `${server.url}/v1/embeddings`,
    model: 'small',
    apiKey: 'k-123',
    dimensions: 2,
  })
  expect(await embedder.embed(['a', 'bbb'])).toEqual([
    [1, 1],
    [3, 1],
  ])
  await embedder.close()
  const [request] = server.received
  expect(request).toMatchObject({ method: 'POST', url: '/v1/embeddings', headers: { authorization: 'Bearer k-123' } })
  expect(JSON.parse(request!.body)).toEqual({
    model: 'small',
    input: ['a', 'bbb'],
    encoding_format: 'float',
    dimensions: 2,
  })
})

test.each([
  ['status 500', 500, '{"error":"key k-123 is wrong"}'],
  ['no JSON', 200, '<html>'],
  ['too few vectors', 200, '{"data":[{"index":0,"embedding":[1]}]}'],
  ['a far index', 200, '{"data":[{"index":4000000000,"embedding":[1]},{"index":0,"embedding":[1]}]}'],
])('an HTTP embedder that answers %s fails without telling the key', async (_, status, body) => {
  const server = await serve((_request, response) => response.writeHead(status).end(body))
  const embedder = createHttpEmbedder({ url: server.url, model: 'small', apiKey: 'k-123' })
  const failure = await embedder.embed(['a', 'b']).catch((error: unknown) => String(error))
  await embedder.close()
  expect(failure).toMatch(/embedder/)
  expect(failure).not.toContain('k-123')
})

test('an HTTP embedder gives up in time, and follows no redirect with its texts', async () => {
  const silent = await serve(() => {})
  const slow = createHttpEmbedder({ url: silent.url, model: 'small', timeoutMs: 100 })
  await expect(slow.embed(['a'])).rejects.toThrow(/0\.1 s/)
  await slow.close()

  const elsewhere = await serve((_request, response) => response.end('{}'))
  const moved = await serve((_request, response) => response.writeHead(307, { location: elsewhere.url }).end())
  const redirected = createHttpEmbedder({ url: moved.url, model: 'small', apiKey: 'k-123' })
  await expect(redirected.embed(['secret text'])).rejects.toThrow()
  await redirected.close()
  expect(elsewhere.received).toEqual([])
})

/** A tiny model of two meanings, buying and everything else, that speaks German. */
function modelOf(asked: string[] = []): Embedder {
  return {
    name: 'two-meanings',
    embed: async texts => {
      asked.push(...texts)
      return texts.map(text => (/purchase|kaufen/.test(text) ? [1, 0.1] : [0.1, 1]))
    },
  }
}

function indexOf(
  model: Embedder,
  options: { weight?: number; cacheFolder?: string; onError?: (error: unknown) => void } = {},
) {
  const index = createSearchIndex({ embedder: { model, ...options } })
  index.update({ put: TOOLS, remove: [] })
  return index
}

function tool(id: string, name: string, description: string): SearchDocument {
  return { id, name, description, parameters: [], category: '' }
}
