import type { Builtin } from './builtin.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 600_000

export const bash: Builtin = {
  name: 'bash',
  description:
    'Run a shell command in the workspace. Each command starts anew: no variables or working directory stay, nothing goes on in the background. Output and error output come together; nobody answers questions on the terminal. To read, search or change files use the tools for that.',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1, description: 'what bash is to run' },
      timeout_ms: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_TIMEOUT_MS,
        description: `time limit in milliseconds; default ${DEFAULT_TIMEOUT_MS}`,
      },
      description: { type: 'string', description: 'what it is for, in a few words, for the audit' },
    },
    required: ['command'],
    additionalProperties: false,
  },
  annotations: { readOnly: false, idempotent: false, openWorld: true },
  timeoutMs: MAX_TIMEOUT_MS,
  run: ({ command, timeout_ms = DEFAULT_TIMEOUT_MS }, { shell, deadline }) =>
    shell(String(command), Math.min(Number(timeout_ms), Math.max(1, Math.ceil(deadline - performance.now())))),
}
