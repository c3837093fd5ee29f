// Runs a command and measures it; everything after the label is the command.
import { spawnSync } from 'node:child_process'

const [label, program, ...rest] = process.argv.slice(2)
if (!label || !program) {
  console.error('Usage: wrap-command.mjs <label> <program> [args...]')
  process.exit(1)
}
const begin = Date.now()
const { status } = spawnSync(program, rest, { stdio: 'inherit' })
console.log(`${label}: ${Date.now() - begin} ms`)
process.exit(status ?? 1)
