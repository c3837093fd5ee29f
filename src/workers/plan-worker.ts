// Which calls a worker can serve: those that differ only in what can be put in place after the interpreter has started.
import { createHash } from 'node:crypto'
import type { RunRequest, WarmStart } from '../process/run-request.ts'
import type { Confinement } from '../sandbox/confinement.ts'

export type WorkerPlan = {
  /** Calls with the same key can share a worker. */
  readonly key: string
  readonly interpreter: WarmStart['interpreter']
  readonly command: string
  /** Up to the script. */
  readonly args: readonly string[]
  readonly script: string
  readonly cwd: string
  /** Nothing of a call, and no secret. */
  readonly env: Readonly<Record<string, string>>
  readonly hasStdin: boolean
  readonly confinement: Confinement
  readonly timeoutMs: number
}

/** Variables that an interpreter reads while it starts, and that are the same in all calls. */
const AT_START =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TZ|LANG|LC_ALL|LC_CTYPE|PYTHONIOENCODING|PYTHONDONTWRITEBYTECODE)$/
/** Others that change how an interpreter or its libraries start. */
const TOO_LATE = /^(?:PYTHON|NODE_|LD_|LC_|MALLOC_|GLIBC_|UV_|ICU_|OPENSSL_|SSL_)/
/** What is longer might not fit a command line; then the system's own error is wanted. */
const MAX_BYTES = 100 * 1024
const MAX_STDIN = 1024 * 1024

/** Undefined when the call must be started cold. */
export function planWorker(request: RunRequest): WorkerPlan | undefined {
  const { warm, confinement, command, stdin, cwd, timeoutMs } = request
  if (!warm || !confinement || (stdin?.length ?? 0) > MAX_STDIN) return undefined
  const args = request.args.slice(0, warm.fixedArgs)
  if (!isPlain(args, command, warm)) return undefined
  const variables = Object.entries(request.env)
  const texts = [...request.args, ...variables.flat()]
  if (texts.some(text => text.includes('\0')) || sizeOf(texts) > MAX_BYTES) return undefined
  if (variables.some(([name]) => TOO_LATE.test(name) && !AT_START.test(name))) return undefined

  const plan = {
    interpreter: warm.interpreter,
    command,
    args,
    script: warm.script,
    cwd,
    env: Object.fromEntries(variables.filter(([name]) => AT_START.test(name))),
    hasStdin: stdin !== undefined,
    confinement,
  }
  return { ...plan, timeoutMs, key: createHash('sha256').update(JSON.stringify(plan)).digest('base64') }
}

/** Options of the interpreter might keep our file from being loaded, and the script would run at once. */
function isPlain(args: readonly string[], command: string, { interpreter, script }: WarmStart): boolean {
  if (interpreter === 'node') return command === process.execPath && args.length === 1 && args[0] === script
  return args.at(-1) === script && (args.length === 1 || (args.length === 3 && args[0] === '-c'))
}

const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
