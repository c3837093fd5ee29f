const fs = require('fs')

const args = process.argv.slice(2)
if (args.length < 2) {
  console.log('Usage: node chart-data.cjs <input.csv> <column> [buckets]')
  process.exit(1)
}

const input = args[0]
const column = parseInt(args[1], 10)
const buckets = Number(args[2]) || 10

const rows = fs.readFileSync(input, 'utf8').trim().split('\n').map(line => line.split(','))
const values = rows.map(row => parseFloat(row[column]))
const max = Math.max(...values)
const counts = new Array(buckets).fill(0)
for (const value of values) counts[Math.min(buckets - 1, Math.floor((value / max) * buckets))]++
console.log(counts.join(' '))
