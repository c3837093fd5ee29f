import { type SpawnOptions, spawn } from 'node:child_process'

/** The least that a program costs: started, stdout collected. */
export function spawnBare(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.on('error', reject).on('close', () => resolve(stdout))
  })
}
