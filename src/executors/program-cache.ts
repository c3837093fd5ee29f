// Programs that a declaration names by URL: downloaded once, checked, kept by their checksum.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fail } from '../errors.ts'
import { createDeadline } from '../network/deadline.ts'
import type { HttpClient } from '../network/http-client.ts'
import { NetworkError } from '../network/network-error.ts'
import type { Destination } from '../network/network-rules.ts'
import { readBody } from '../network/read-body.ts'
import type { CallUpdate, Outcome } from '../types.ts'

export type ProgramCache = {
  /** Path of the program, downloaded if need be. Never throws. */
  get(
    program: { readonly url: string; readonly sha256: string },
    options: {
      readonly signal: AbortSignal
      readonly mayReach: (destination: Destination) => void
      readonly onUpdate?: (update: CallUpdate) => void
    },
  ): Promise<{ readonly ok: true; readonly path: string } | Extract<Outcome, { ok: false }>>
}

const MAX_BYTES = 512 * 1024 * 1024
const MAX_MS = 10 * 60_000

/** Programs are kept in `folder`. */
export function createProgramCache(folder: string, client: HttpClient): ProgramCache {
  const running = new Map<string, ReturnType<ProgramCache['get']>>()
  return {
    async get(program, options) {
      const sha256 = program.sha256.toLowerCase()
      const path = join(folder, sha256)
      if (existsSync(path)) return { ok: true, path }
      // Two calls at once share one download.
      const known = running.get(path)
      if (known) return known
      const task = fetchTo(path, { ...program, sha256 }, options).finally(() => running.delete(path))
      running.set(path, task)
      return task
    },
  }

  async function fetchTo(
    path: string,
    { url, sha256 }: { url: string; sha256: string },
    { signal, mayReach, onUpdate }: Parameters<ProgramCache['get']>[1],
  ): ReturnType<ProgramCache['get']> {
    const part = `${path}.${randomUUID()}.part`
    const deadline = createDeadline(MAX_MS, signal)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const answer = await client.send({ method: 'GET', url: new URL(url), headers: {}, mayReach, deadline })
      if (answer.status !== 200) throw new Error(`the server answered with status ${answer.status}`)
      const total = Number(answer.headers['content-length'] ?? Number.NaN)
      const hash = createHash('sha256')
      let progress = 0
      await pipeline(
        readBody(answer, MAX_BYTES),
        async function* (chunks: AsyncIterable<Uint8Array>) {
          for await (const chunk of chunks) {
            progress += chunk.length
            hash.update(chunk)
            onUpdate?.({
              type: 'progress',
              progress,
              ...(total > 0 && { total }),
              message: `downloading ${url}`,
            })
            yield chunk
          }
        },
        createWriteStream(part, { mode: 0o700, flags: 'wx' }),
        { signal },
      )
      const found = hash.digest('hex')
      if (found !== sha256) throw new Error(`its checksum is ${found}, not ${sha256}`)
      renameSync(part, path)
      return { ok: true, path }
    } catch (error) {
      rmSync(part, { force: true })
      if (signal.aborted)
        return fail('CANCELLED', 'The call was cancelled.', { nextAction: 'Call again if it is still wanted.' })
      if (error instanceof NetworkError && error.code === 'POLICY_DENIED')
        return fail(error.code, `${url} is not downloaded: ${error.message}`, {
          nextAction: 'Tell the user, who can grant it; use another tool meanwhile.',
        })
      const message = `${url} could not be downloaded: ${error instanceof Error ? error.message : String(error)}.`
      return fail('DOWNLOAD_FAILED', message, { nextAction: 'Tell the user; use another tool meanwhile.' })
    } finally {
      deadline.dispose()
    }
  }
}
