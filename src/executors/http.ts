// Sends a request: spec and arguments → request → answer → outcome. What `${env:…}` brought in never goes out again.
import { fail, toolError } from '../errors.ts'
import { createDeadline } from '../network/deadline.ts'
import type { HttpAnswer, HttpClient } from '../network/http-client.ts'
import { NetworkError } from '../network/network-error.ts'
import { TemplateError } from '../templates/parse-template.ts'
import { RenderError } from '../templates/render.ts'
import { createMask, type Mask } from '../text/mask-values.ts'
import type { ExecuteRequest, Executor, HttpSpec, Outcome, ToolError } from '../types.ts'
import { type ReadAnswer, readAnswer, readBeginning } from './http-answer.ts'
import { type BuiltRequest, buildHttpRequest, planRequest, type RequestPlan } from './http-request.ts'
import { mayReach } from './may-reach.ts'
import { unwrapEnvelope } from './read-stdout.ts'

export type HttpExecutorOptions = {
  readonly client: HttpClient
  /** Path of the file that takes an answer too long, or of no kind, to return. */
  readonly outputFile: (name: string) => string
  /** Decoded bytes that an answer may have. Default: 64 MiB. */
  readonly maxAnswerBytes?: number
}

type Failure = Extract<Outcome, { ok: false }>

const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** What of a bad answer is read, and what of it goes into the message. */
const ERROR_BYTES = 8 * 1024
const ERROR_IN_MESSAGE = 2000

export function createHttpExecutor(options: HttpExecutorOptions): Executor<HttpSpec> {
  const { client, outputFile, maxAnswerBytes = MAX_ANSWER_BYTES } = options

  // What a spec always comes to. Making it anew would cost more than all else that is done for a short call.
  const plans = new WeakMap<HttpSpec, RequestPlan>()
  const masks = new WeakMap<HttpSpec, { readonly secrets: ReadonlySet<string>; readonly mask: Mask }>()

  return { type: 'http', execute }

  async function execute(request: ExecuteRequest<HttpSpec>): Promise<Outcome> {
    const { spec, args, callId, onUpdate } = request
    const secrets = new Set<string>()
    const env = (name: string) => {
      const value = request.variable(name)
      secrets.add(value)
      return value
    }
    const deadline = createDeadline(request.timeoutMs, request.ending.signal)
    let built: BuiltRequest | undefined
    try {
      built = await buildHttpRequest(planFor(spec), { args, env }, request.workspace)
      const mask = maskFor(spec, secrets)
      const answer = await client.send({ ...built, mayReach: mayReach(request.policy, request.tool), deadline })
      if (answer.status < 200 || answer.status > 299) return await badStatus(built, answer, mask)

      const reading = await readAnswer(answer, built.method, {
        mask,
        limit: maxAnswerBytes,
        outputFile: ending => outputFile(`${callId}.${ending}`),
        ...(onUpdate && { onUpdate }),
      })
      return unwrapped(reading)
    } catch (error) {
      const failure = toFailure(error, built)
      return { ...failure, error: masked(failure.error, createMask(secrets)) }
    } finally {
      deadline.dispose()
      await built?.dispose()
    }
  }

  function planFor(spec: HttpSpec): RequestPlan {
    const plan = plans.get(spec) ?? planRequest(spec)
    plans.set(spec, plan)
    return plan
  }

  function maskFor(spec: HttpSpec, secrets: ReadonlySet<string>): Mask {
    const known = masks.get(spec)
    if (known?.secrets.size === secrets.size && [...secrets].every(value => known.secrets.has(value))) return known.mask
    const mask = createMask(secrets)
    masks.set(spec, { secrets, mask })
    return mask
  }
}

/** An answer like a script's, `{ok, data, error}`, counts for what it says. */
function unwrapped({ data, ...rest }: ReadAnswer): Outcome {
  const envelope = unwrapEnvelope(data)
  if (!envelope) return { ok: true, data, ...rest }
  if (envelope.ok) return { ...envelope, ...rest }
  const nextAction = 'Mend the arguments as the message says, then call again.'
  return { ...fail('HTTP_FAILED', envelope.message, { nextAction }), ...rest }
}

async function badStatus({ method, url }: BuiltRequest, answer: HttpAnswer, mask: Mask): Promise<Failure> {
  const { status, headers } = answer
  const said = await readBeginning(answer, mask, ERROR_BYTES)
  const cut = said.length > ERROR_IN_MESSAGE ? `${said.slice(0, ERROR_IN_MESSAGE)}…` : said
  const message = `${method} ${url.origin}${url.pathname} answered with status ${status}.${cut && `\n${cut}`}`
  const again = PASSING.has(status) ? { again: waitOf(headers['retry-after']) } : {}
  return { ok: false, error: masked(toolError('HTTP_FAILED', message, adviceOn(status)), mask), ...again }
}

const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** `Retry-After` is a number of seconds or a date. */
function waitOf(header: string | string[] | undefined): { readonly afterMs?: number } {
  const text = String(header ?? '').trim()
  const afterMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(afterMs) ? { afterMs: Math.max(0, afterMs) } : {}
}

function adviceOn(status: number): Pick<ToolError, 'hints' | 'nextAction'> {
  if (status === 401 || status === 403)
    return {
      hints: ['The server does not accept the credentials of this tool, or they do not reach this far.'],
      nextAction: 'Use another tool, or tell the user.',
    }
  if (PASSING.has(status)) return { hints: [], nextAction: 'Call again later, or use another tool.' }
  return { hints: [], nextAction: 'Read what the server says, mend the arguments, then call again.' }
}

function toFailure(error: unknown, built: BuiltRequest | undefined): Failure {
  if (error instanceof RenderError)
    return fail(error.code, `The request cannot be made: ${error.message}.`, {
      nextAction:
        error.code === 'INVALID_ARGS'
          ? 'Mend the arguments, then call again.'
          : 'Tell the user; the host must grant it.',
    })
  if (error instanceof TemplateError)
    return fail('INVALID_ARGS', `The tool is declared wrongly: ${error.message}.`, {
      nextAction: 'Tell the user; this tool cannot be used.',
    })
  const where = built ? `${built.method} ${built.url.origin}: ` : ''
  if (!(error instanceof NetworkError))
    return fail('HTTP_FAILED', `${where}the answer could not be kept (${messageOf(error)}).`, {
      nextAction: 'Try again later, or tell the user.',
    })
  const failure = fail(error.code, where + error.message, { nextAction: NEXT_ACTIONS[error.code] })
  return error.mayPass ? { ...failure, again: {} } : failure
}

const NEXT_ACTIONS: Readonly<Record<NetworkError['code'], string>> = {
  ADDRESS_REFUSED: 'Use another address, or tell the user: the host can allow this one with `allowPrivate`.',
  POLICY_DENIED: 'Tell the user, who can grant it; use another tool meanwhile.',
  HTTP_FAILED: 'Call again later, or use another tool.',
  HTTP_TIMEOUT: 'Ask for less, or call again with a longer timeout.',
  RESPONSE_TOO_LARGE: 'Ask for less: narrow the arguments, then call again.',
  CANCELLED: 'Call again if it is still wanted.',
}

function masked({ code, message, hints, nextAction }: ToolError, mask: Mask): ToolError {
  return toolError(code, mask.text(message), { hints: hints.map(mask.text), nextAction })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error)
}
