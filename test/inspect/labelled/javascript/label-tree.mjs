import { parseArgs } from 'node:util'

const OPTIONS = {
  root: { type: 'string', short: 'r' },
  depth: { type: 'string' },
  hidden: { type: 'boolean' },
}

function main() {
  const { values: { root = '.', depth, hidden }, positionals: [pattern] } = parseArgs({ options: OPTIONS, allowPositionals: true })
  const limit = depth ? Number.parseInt(depth, 10) : 3
  console.log(root, limit, hidden, pattern)
}

main()
