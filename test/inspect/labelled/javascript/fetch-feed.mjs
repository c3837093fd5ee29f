#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'

function parse(argv) {
  const options = { url: undefined, limit: 20, format: 'json', verbose: false }
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i]
    switch (arg) {
      case '--url':
      case '-u':
        options.url = argv[++i]
        break
      case '--limit':
        options.limit = Number.parseInt(argv[++i], 10)
        break
      case '--format':
        options.format = argv[++i]
        break
      case '--verbose':
        options.verbose = true
        break
      case '-h':
      case '--help':
        console.log('fetch-feed --url URL [--limit N] [--format json|xml]')
        process.exit(0)
        break
      default:
        console.error(`unknown argument ${arg}`)
        process.exit(1)
    }
  }
  return options
}

const options = parse(process.argv.slice(2))
if (!options.url) {
  console.error('--url is required')
  process.exit(1)
}
if (!['json', 'xml'].includes(options.format)) throw new Error('json or xml')
const response = await fetch(options.url)
const text = await response.text()
if (options.verbose) console.error(response.status)
await writeFile(`feed.${options.format}`, text.slice(0, options.limit * 1000))
