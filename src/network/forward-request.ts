// One plain request through the proxy: read whole by a strict parser and written anew, on a connection of its own, so
// that nothing can ride along behind it.
import { type ClientRequest, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { NetworkError } from './network-error.ts'

/** They are about one connection, and each connection has its own. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'expect', 'host', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/** Ends when the answer is sent, or rejects with what broke; the socket is used up either way. */
export function forwardRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, socket }: { readonly url: URL; readonly socket: Socket },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const isChunked = incoming.headers['transfer-encoding'] !== undefined
    const outgoing: ClientRequest = httpRequest({
      method: incoming.method,
      path: url.pathname + url.search,
      headers: [
        ...['host', url.host, 'connection', 'close'],
        ...(isChunked ? ['transfer-encoding', 'chunked'] : []),
        ...passedOn(incoming),
      ] as never,
      createConnection: () => socket,
    })
    outgoing.on('error', reject)
    // Nobody asked for it: `upgrade` is not passed on.
    outgoing.on('upgrade', () => reject(new NetworkError('HTTP_FAILED', 'The server changed to another protocol.')))
    outgoing.on('response', answer => {
      try {
        response.writeHead(answer.statusCode ?? 502, ['connection', 'close', ...passedOn(answer)])
      } catch (error) {
        answer.destroy()
        reject(error)
        return
      }
      answer.on('error', () => response.destroy())
      answer.pipe(response)
      response.on('close', resolve)
    })
    incoming.on('error', () => outgoing.destroy())
    response.on('close', () => socket.destroy())
    incoming.pipe(outgoing)
  })
}

/** Whatever a `Connection` header names is for this connection too, except for what says where the message ends. */
function passedOn({ headers, rawHeaders }: IncomingMessage): string[] {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
  const stays = (name: string) => !HOP_BY_HOP.has(name) && (name === 'content-length' || !named.includes(name))
  const pairs: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (stays(rawHeaders[i]!.toLowerCase())) pairs.push(rawHeaders[i]!, rawHeaders[i + 1]!)
  return pairs
}
