import { spawnSync } from 'node:child_process'

const urlArg = process.argv.find(arg => arg.startsWith('--url='))
const formatArg = process.argv.find(arg => arg.startsWith('--format='))
const url = urlArg ? urlArg.split('=').slice(1).join('=') : undefined
const format = formatArg?.split('=')[1] || 'mp3'
if (!url) {
  console.error('--url=… is required')
  process.exit(1)
}
spawnSync('yt-dlp', ['-x', '--audio-format', format, url], { stdio: 'inherit' })
