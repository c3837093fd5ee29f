// The lean process that programs are started from when the host is big: starting a process copies the page tables of
// the one that starts it. It runs whole runs, so that the host's event loop is free of their output too.
import type { FromHelper, ToHelper } from './helper-messages.ts'
import { createLocalRunner } from './local-runner.ts'

const cancels = new Map<number, AbortController>()
const runner = createLocalRunner({ warmWorkers: process.argv[2] === 'warm' })

process.on('message', (message: ToHelper) => {
  if (message.type === 'cancel') cancels.get(message.id)?.abort()
  else void run(message)
})
// The host is gone or has had enough: what runs is killed on exit, and sandboxes die with this process.
process.on('disconnect', () => process.exit())

async function run({ id, request, tellText }: Extract<ToHelper, { type: 'run' }>): Promise<void> {
  const cancel = new AbortController()
  cancels.set(id, cancel)
  const outcome = await runner.run({
    ...request,
    signal: cancel.signal,
    onGroup: pid => tell({ type: 'group', id, pid }),
    ...(tellText && { onText: (stream, text) => tell({ type: 'text', id, stream, text }) }),
  })
  cancels.delete(id)
  tell({ type: 'outcome', id, outcome })
}

function tell(message: FromHelper): void {
  // A host that is gone is told nothing; `disconnect` ends this process.
  process.send?.(message, () => {})
}
