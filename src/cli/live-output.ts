import type { CallUpdate } from '../types.ts'
import { dim, forTerminal } from './output.ts'

/** Shows on stderr what a running call tells: its output as it comes, and how far it is. */
export function createLiveOutput(): { show(update: CallUpdate): void } {
  const { stderr } = process
  return {
    show(update) {
      if (update.type === 'output') {
        stderr.write(dim(forTerminal(update.text)))
        return
      }
      const { progress, total } = update
      const message = forTerminal(update.message ?? '')
      const share = total ? `${Math.floor((progress / total) * 100)} %` : String(progress)
      stderr.write(
        stderr.isTTY
          ? `\r\x1b[K${dim(`${share} ${message}`)}${progress === total ? '\n' : ''}`
          : `${share} ${message}\n`,
      )
    },
  }
}
