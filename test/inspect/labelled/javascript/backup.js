const path = require('path')
const { execSync } = require('child_process')

const args = process.argv.slice(2)
const source = args[0]
if (!source || source === '--help') {
  console.log('backup.js <folder> [--compress] [--dry-run] [--target <dir>]')
  process.exit(source ? 0 : 1)
}

const compress = args.includes('--compress')
const dryRun = args.includes('--dry-run') || args.includes('-n')
const targetIndex = args.indexOf('--target')
const target = targetIndex !== -1 ? args[targetIndex + 1] : '/var/backups'

const command = compress ? `tar czf ${path.join(target, 'b.tgz')} ${source}` : `cp -r ${source} ${target}`
if (dryRun) console.log(command)
else execSync(command)
