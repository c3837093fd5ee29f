const args = process.argv.slice(2)
let target = 'en'
let tone
const words = []

while (args.length > 0) {
  const arg = args.shift()
  if (arg === '--to') target = args.shift()
  else if (arg === '--tone') tone = args.shift()
  else words.push(arg)
}

const text = words.join(' ')
if (!text) {
  console.error('translate.js [--to LANG] [--tone TONE] <text...>')
  process.exit(1)
}
console.log(JSON.stringify({ text, target, tone }))
