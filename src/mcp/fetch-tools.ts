import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client'
import { createToolReader, type ServedTools } from './read-served-tool.ts'

const MAX_PAGES = 1000
const SUBSCRIBE_MS = 2000

export type FetchOptions = {
  readonly signal: AbortSignal
  /** The server stopped telling of changes, so that some may go unheard. */
  readonly onUnheard: () => void
}

/** Asks for all pages of a server's tools. Each is read as it comes, so that nothing huge piles up. Throws as the SDK does. */
export async function fetchTools(client: Client, options: FetchOptions): Promise<ServedTools> {
  const { signal } = options
  await subscribe(client, options)
  const reader = createToolReader()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } }
    const { tools, nextCursor } = await client.request(request, ANY_PAGE, { signal, timeout: MAX_TIMEOUT_MS })
    const isFull = !tools.every(reader.add)
    if (isFull || nextCursor === undefined || nextCursor === cursor) break
    cursor = nextCursor
  }
  return reader.finish()
}

/** Servers of 2026-07-28 tell of changes only to those who ask. One that does not answer is asked again at the next listing. */
async function subscribe(client: Client, { onUnheard }: FetchOptions): Promise<void> {
  if (client.getProtocolEra() !== 'modern' || !client.getServerCapabilities()?.tools?.listChanged) return
  if (listening.has(client)) return
  listening.add(client)
  try {
    const subscription = await client.listen({ toolsListChanged: true }, { timeout: SUBSCRIBE_MS })
    void subscription.closed.then(how => {
      listening.delete(client)
      if (how !== 'local') onUnheard()
    })
  } catch {
    listening.delete(client)
  }
}

const listening = new WeakSet<Client>()

type Page = { readonly tools: readonly unknown[]; readonly nextCursor: string | undefined }

/** The SDK's own schema refuses a whole page for one wrong tool. */
const ANY_PAGE: StandardSchemaV1<unknown, Page> = {
  '~standard': {
    version: 1,
    vendor: 'skillwright',
    validate(value) {
      const { tools, nextCursor } = (value ?? {}) as { tools?: unknown; nextCursor?: unknown }
      if (!Array.isArray(tools)) return { issues: [{ message: '`tools` is not a list' }] }
      return { value: { tools, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined } }
    },
  },
}

/** The time limit is the signal. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1
