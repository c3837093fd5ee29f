// How a program ended → the outcome of the call.
import { constants } from 'node:os'
import { fail } from '../errors.ts'
import { signalOf } from '../process/end-inside.ts'
import type { RunOutcome } from '../process/run-request.ts'
import type { Outcome, RanUnder } from '../types.ts'
import { readFailure, readStdout } from './read-stdout.ts'

/** What of stderr goes into an error message; all of it is in the result's meta. */
const STDERR_IN_MESSAGE = 2000

export type ProgramOutcomeOptions = {
  /** What the program is called in messages. */
  readonly label: string
  readonly timeoutMs: number
  /** A better explanation of a failure than what the program wrote, when there is one. */
  readonly explain?: (stderr: string) => Extract<Outcome, { ok: false }> | undefined
}

/** What a program did, what it ran under, and what may explain a failure. */
export type Ran = {
  readonly ok: true
  readonly run: RunOutcome
  readonly ranUnder: RanUnder
  readonly hints: readonly string[]
}

export function toOutcome(ran: Ran, options: ProgramOutcomeOptions): Outcome {
  const outcome = outcomeOf(ran, options)
  if (outcome.ok) return outcome
  const hints = [...outcome.error.hints, ...ran.hints, ...(NO_FILE.test(ran.run.stderr.text) ? [NO_FILE_HINT] : [])]
  return { ...outcome, error: { ...outcome.error, hints } }
}

/** Node gives its children sockets, which the system opens by no path. */
const NO_FILE = /^(?=.*\/dev\/(?:stdout|stderr|fd\/[12])\b).*no such device or address/im
const NO_FILE_HINT =
  '`/dev/stdout` and `/dev/stderr` cannot be opened here: the script must write `>&1` or `>&2` instead.'

function outcomeOf({ run, ranUnder }: Ran, { label, timeoutMs, explain }: ProgramOutcomeOptions): Outcome {
  const stderr = run.stderr.text.trimEnd()
  const rest = {
    ranUnder,
    ...(stderr && { stderr }),
    ...(run.stdout.file !== undefined && { outputFile: run.stdout.file }),
  }
  switch (run.end.how) {
    case 'exited': {
      const exitCode = run.end.code
      if (exitCode !== 0) return { ...(explain?.(stderr) ?? failed(label, exitCode, run)), ...rest, exitCode }
      const result = readStdout(run.stdout.text, run.stdout.file)
      if (result.ok) return { ...result, ...rest, exitCode: 0 }
      const nextAction = 'Mend the arguments as the message says, then call again.'
      return { ...fail('SCRIPT_FAILED', result.message, { nextAction }), ...rest, exitCode: 0 }
    }
    case 'signalled': {
      const exitCode = 128 + constants.signals[run.end.signal]
      return { ...failed(label, exitCode, run), ...rest, exitCode }
    }
    case 'limit': {
      const message = `${label} went over its limit of ${run.end.what} and was stopped.`
      const nextAction = 'Give it less to do, or ask the user to raise the limit in its policy.'
      return { ...fail('LIMIT_EXCEEDED', withDetail(message, stderr), { nextAction }), ...rest }
    }
    case 'timeout': {
      const message = `${label} did not end within ${timeoutMs / 1000} s and was stopped.`
      const nextAction = 'Give it less to do, or call it with a longer timeout.'
      return {
        ...fail('SCRIPT_TIMEOUT', withDetail(message, stderr), { nextAction }),
        ...rest,
        exitCode: 124,
        again: {},
      }
    }
    case 'cancelled':
      return {
        ...fail('CANCELLED', 'The call was cancelled.', { nextAction: 'Call again if it is still wanted.' }),
        ...rest,
      }
    case 'not-started':
      return notStarted(run.end.code)
    case 'overloaded':
      return overloaded(run.end)
  }
}

function failed(label: string, exitCode: number, run: RunOutcome): Extract<Outcome, { ok: false }> {
  const reason = readFailure(run.stdout.text) ?? run.stdout.text.trim()
  const said = [reason, run.stderr.text.trim()].filter(Boolean).join('\n')
  const nextAction = 'Read what it wrote, mend the arguments, then call again.'
  return {
    ...fail('SCRIPT_FAILED', withDetail(`${label} ended with ${describe(exitCode)}.`, said), { nextAction }),
    again: {},
  }
}

/** A signal is told by its name, also when a shell or a sandbox stands between and has made a number of it. */
function describe(exitCode: number): string {
  const signal = signalOf(exitCode)
  return `exit code ${exitCode}${signal ? ` (${signal})` : ''}`
}

function withDetail(message: string, detail: string): string {
  if (!detail) return message
  const tail = detail.length > STDERR_IN_MESSAGE ? `…${detail.slice(-STDERR_IN_MESSAGE)}` : detail
  return `${message}\n${tail}`
}

function notStarted(code: string): Outcome {
  if (code === 'E2BIG')
    return fail('ARGS_TOO_LARGE', 'The command line is longer than the system takes.', {
      hints: ['One argument may have 128 KiB.'],
      nextAction: 'Pass large values as `data`, or write them to a file and pass its path.',
    })
  if (code === 'ERR_INVALID_ARG_VALUE')
    return fail('INVALID_ARGS', 'An argument contains a NUL character.', { nextAction: 'Remove it, then call again.' })
  return fail('SPAWN_FAILED', `The process could not be started (${code}).`, {
    hints: code === 'ENOENT' ? ['The workspace folder may be gone.'] : [],
    nextAction: 'Try again later, or tell the user.',
  })
}

function overloaded({ running, waiting }: { readonly running: number; readonly waiting: number }): Outcome {
  const message = `Too much runs at the same time: ${running} programs run and ${waiting} calls wait for a place.`
  return {
    ...fail('OVERLOADED', message, {
      hints: ['Make fewer calls at the same time.'],
      nextAction: 'Try again in a moment.',
    }),
    again: {},
  }
}
