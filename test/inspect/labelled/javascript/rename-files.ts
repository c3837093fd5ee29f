import { renameSync } from 'node:fs'

let prefix = ''
let start = 1
let dryRun = false
const names: string[] = []

const argv = process.argv.slice(2)
for (let i = 0; i < argv.length; i += 1) {
  const word = argv[i]!
  if (word === '--prefix' || word === '-p') {
    prefix = argv[i + 1] ?? ''
    i += 1
  } else if (word.startsWith('--start=')) {
    start = parseInt(word.slice('--start='.length), 10)
  } else if (word === '--dry-run') {
    dryRun = true
  } else if (word.startsWith('-')) {
    throw new Error(`Unknown option ${word}`)
  } else {
    names.push(word)
  }
}

if (names.length === 0) throw new Error('no files given')
names.forEach((name, index) => {
  const next = `${prefix}${start + index}-${name}`
  if (dryRun) console.log(name, next)
  else renameSync(name, next)
})
