#!/usr/bin/env -S npx tsx
import { parseArgs } from 'node:util'

async function create(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { tag: { type: 'string', multiple: true, short: 't' }, pinned: { type: 'boolean' } },
  })
  const title = positionals[0]
  if (!title) throw new Error('a note needs a title')
  console.log(title, values.tag, values.pinned)
}

async function search(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { limit: { type: 'string', default: '10' } },
  })
  const query = positionals.join(' ')
  if (!query) throw new Error('what for?')
  console.log(query, Number(values.limit))
}

const [command, ...rest] = process.argv.slice(2)
switch (command) {
  case 'create':
    await create(rest)
    break
  case 'search':
    await search(rest)
    break
  case undefined:
  case 'help':
  default:
    console.log('notes <create|search>')
    process.exit(1)
}
