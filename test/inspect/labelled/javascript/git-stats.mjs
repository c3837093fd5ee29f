import { execFileSync } from 'node:child_process'

const DEFAULTS = { since: '1 week ago', author: '', top: 10 }
const FLAGS = ['--since', '--author', '--top']

const settings = { ...DEFAULTS }
for (let i = 2; i < process.argv.length; i++) {
  if (process.argv[i] === '--since') settings.since = process.argv[++i]
  if (process.argv[i] === '--author') settings.author = process.argv[++i]
  if (process.argv[i] === '--top') settings.top = parseInt(process.argv[++i])
  if (process.argv[i] === '--merges') settings.merges = true
}
const log = execFileSync('git', ['log', `--since=${settings.since}`, `--author=${settings.author}`], { encoding: 'utf8' })
console.log(FLAGS.length, log.split('\n').slice(0, settings.top), settings.merges)
