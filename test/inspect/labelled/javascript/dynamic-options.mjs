import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

// The options come from a file that nobody knows before it is there.
const extra = JSON.parse(readFileSync('options.json', 'utf8'))
const { values } = parseArgs({ options: { config: { type: 'string', short: 'c' }, ...extra } })
console.log(values.config)
