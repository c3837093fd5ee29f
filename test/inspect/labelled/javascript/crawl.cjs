const fs = require('fs')

function parseArgs(list) {
  const result = { _: [] }
  for (let i = 0; i < list.length; i++) {
    const item = list[i]
    if (item.startsWith('--')) {
      const key = item.slice(2)
      const next = list[i + 1]
      if (next !== undefined && !next.startsWith('--')) {
        result[key] = next
        i++
      } else {
        result[key] = true
      }
    } else {
      result._.push(item)
    }
  }
  return result
}

const args = parseArgs(process.argv.slice(2))
const start = args._[0]
if (!start) {
  console.error('Usage: crawl.cjs <url> [--depth N] [--out FILE] [--same-host]')
  process.exit(1)
}
const depth = parseInt(args.depth || '2', 10)
const out = args.out || 'crawl.json'
if (args['same-host']) console.log('staying on', start)
fs.writeFileSync(out, JSON.stringify({ start, depth }))
