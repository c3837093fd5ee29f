// A small API in a process of its own: finds as many records as it is asked for and writes them as JSON. Tells its port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const RECORDS = Array.from({ length: 1000 }, (_, id) => ({
  id,
  title: `Record number ${id} of the list`,
  state: id % 3 === 0 ? 'open' : 'closed',
  labels: ['one', 'two', `label-${id % 7}`],
  updated: '2025-11-18T09:47:00.000Z',
  author: { name: `user-${id % 50}`, url: `https://example.com/users/${id % 50}` },
}))

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const limit = Number(searchParams.get('limit'))
  const text = JSON.stringify({ list: 'inbox', records: RECORDS.slice(0, limit) })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
