import { DEFAULT_MAX_REQUEST_BODY_SIZE } from '@modelcontextprotocol/server'

/** The body of a request as JSON, or what to answer instead. */
export async function readMessage(
  request: Request,
): Promise<{ readonly body: unknown } | { readonly refusal: Response }> {
  const text = await readText(request).catch(() => undefined)
  if (text === undefined) return { refusal: refuse(400, -32700, 'Parse error: the body could not be read.') }
  if (text === TOO_LARGE)
    return { refusal: refuse(413, -32000, `The body has more than ${DEFAULT_MAX_REQUEST_BODY_SIZE} bytes.`) }
  try {
    return { body: JSON.parse(text) }
  } catch {
    return { refusal: refuse(400, -32700, 'Parse error: the body is not JSON.') }
  }
}

/** An error of the protocol that belongs to no request. */
export function refuse(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
}

const TOO_LARGE = Symbol('too large')

async function readText(request: Request): Promise<string | typeof TOO_LARGE> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.byteLength
    if (size > DEFAULT_MAX_REQUEST_BODY_SIZE) return TOO_LARGE
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
