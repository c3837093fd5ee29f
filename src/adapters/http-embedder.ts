import type { Embedder } from '../catalogue/embedder.ts'
import { createDeadline } from '../network/deadline.ts'
import { createHttpClient } from '../network/http-client.ts'
import { readBody } from '../network/read-body.ts'

export type HttpEmbedderOptions = {
  /** Where embeddings are asked for, in full: `https://api.openai.com/v1/embeddings`, `http://localhost:11434/v1/embeddings`. */
  readonly url: string
  readonly model: string
  /** Sent as a bearer token, to this origin only. */
  readonly apiKey?: string
  /** Asks the model for shorter vectors. Default: as long as it gives them. */
  readonly dimensions?: number
  /** Milliseconds for one request. Default: 30,000. */
  readonly timeoutMs?: number
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** An embedder behind an HTTP interface like OpenAI's. Throws `TypeError` on a URL that is none. */
export function createHttpEmbedder(options: HttpEmbedderOptions): Embedder & { close(): Promise<void> } {
  const { model, apiKey, dimensions, timeoutMs = 30_000 } = options
  const url = new URL(options.url)
  // The operator named this host; wherever it may redirect to is guarded as usual.
  const client = createHttpClient({ allowPrivate: [url.host] })

  return {
    name: JSON.stringify([url.href, model, dimensions ?? null]),
    async embed(texts) {
      const deadline = createDeadline(timeoutMs, new AbortController().signal)
      try {
        const answer = await client.send({
          method: 'POST',
          url,
          headers: {
            'content-type': 'application/json',
            ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify({ model, input: texts, encoding_format: 'float', ...(dimensions && { dimensions }) }),
          deadline,
        })
        const chunks: Buffer[] = []
        for await (const chunk of readBody(answer, MAX_ANSWER_BYTES)) chunks.push(chunk)
        // The body is not repeated: some servers say back what they were sent.
        if (answer.status !== 200) throw new Error(`The embedder at ${url.host} answered with status ${answer.status}.`)
        return vectorsIn(parse(Buffer.concat(chunks).toString('utf8')), texts.length)
      } finally {
        deadline.dispose()
      }
    },
    close: () => client.close(),
  }
}

/** In the order of the texts, which is that of `index`, not of the list. */
function vectorsIn(answer: unknown, count: number): number[][] {
  const data: readonly unknown[] = isRecord(answer) && Array.isArray(answer['data']) ? answer['data'] : []
  const byIndex = new Map(
    data.filter(isRecord).map((item, place) => [item['index'] ?? place, item['embedding']] as const),
  )
  return Array.from({ length: count }, (_, i) => {
    const vector = byIndex.get(i)
    if (!Array.isArray(vector)) throw new Error(`The embedder was asked for ${count} vectors and did not give them.`)
    return vector.map(Number)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
