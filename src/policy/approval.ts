// Asking somebody before a call: a program's hook, a person on a terminal. Whoever does not say yes has said no.
import { fail } from '../errors.ts'
import type { Json, Outcome } from '../types.ts'

/** What somebody is asked to approve. */
export type ApprovalRequest = {
  /** `changed-skill`: the skill is not, or not any more, what was approved; a yes approves it as it is now. */
  readonly kind: 'destructive' | 'always' | 'changed-skill'
  readonly tool: string
  readonly skill: string
  /** With secret values masked and long ones cut. */
  readonly args: Json
  readonly policy: string
  /** What the call may do under its policy, in words. */
  readonly rights: readonly string[]
}

export type ApprovalAnswer = boolean | { readonly approved: boolean; readonly reason?: string }

/** Asked once per call. A throw, or no answer in five minutes, is a no. */
export type OnApproval = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => ApprovalAnswer | Promise<ApprovalAnswer>

const ANSWER_MS = 300_000

type Refusal = Extract<Outcome, { ok: false }>

/** Undefined when it was approved. */
export async function askApproval(
  request: ApprovalRequest,
  onApproval: OnApproval | undefined,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  if (!onApproval) return nobodyToAsk(request)
  const given = new AbortController()
  const asking = AbortSignal.any([signal, given.signal])
  const timer = setTimeout(
    () => given.abort(new Error(`nobody answered within ${ANSWER_MS / 60_000} minutes`)),
    ANSWER_MS,
  )
  try {
    const answer = await Promise.race([onApproval(request, { signal: asking }), whenAborted(asking)])
    const { approved, reason } = typeof answer === 'object' && answer !== null ? answer : { approved: answer }
    return approved === true ? undefined : denied(request, typeof reason === 'string' ? reason : undefined)
  } catch (error) {
    if (signal.aborted)
      return fail('CANCELLED', 'The call was cancelled.', { nextAction: 'Call again if it is still wanted.' })
    return denied(request, error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}

function nobodyToAsk({ kind, tool, skill }: ApprovalRequest): Refusal {
  if (kind === 'changed-skill')
    return fail(
      'TRUST_REQUIRED',
      `The skill ${skill} is not, or not any more, what was approved, so it does not run.`,
      {
        hints: [
          `\`skillwright review ${skill}\` shows what it can do, \`skillwright trust ${skill}\` approves it as it is.`,
        ],
        nextAction: 'Ask the user to look at the skill and to trust it; use another tool meanwhile.',
      },
    )
  const why = kind === 'destructive' ? 'is destructive' : 'needs approval'
  return fail('APPROVAL_REQUIRED', `${tool} ${why}, and there is nobody to ask.`, {
    hints: ['On the command line, --yes approves it; a program gives `onApproval`.'],
    nextAction: 'Ask the user whether it may be done.',
  })
}

function denied({ tool }: ApprovalRequest, reason: string | undefined): Refusal {
  return fail('NOT_APPROVED', `The call of ${tool} was not approved${reason ? `: ${reason}` : ''}.`, {
    nextAction: 'Do not call it again for the same end; ask the user what to do instead.',
  })
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
