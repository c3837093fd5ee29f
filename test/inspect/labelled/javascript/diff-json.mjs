import { readFileSync } from 'node:fs'

const flags = process.argv.slice(2).filter(word => word.startsWith('--'))
const files = process.argv.slice(2).filter(word => !word.startsWith('--'))

if (files.length !== 2) {
  console.error('Usage: diff-json.mjs <left> <right> [--sort] [--quiet]')
  process.exit(2)
}
const sort = flags.includes('--sort')
const [left, right] = files.map(file => JSON.parse(readFileSync(file, 'utf8')))
const same = JSON.stringify(sort ? Object.entries(left).sort() : left) === JSON.stringify(right)
if (!flags.includes('--quiet')) console.log(same ? 'same' : 'different')
process.exitCode = same ? 0 : 1
