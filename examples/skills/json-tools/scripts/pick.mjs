#!/usr/bin/env node
// Print one value of the JSON on stdin, named by a path such as users.0.name.
import { text } from 'node:stream/consumers'

const path = process.argv[2]
if (!path) {
  console.error('usage: pick.mjs PATH < file.json')
  process.exit(2)
}
const value = path.split('.').reduce((at, key) => at?.[key], JSON.parse(await text(process.stdin)))
if (value === undefined) {
  console.error(`there is nothing at ${path}`)
  process.exit(1)
}
console.log(typeof value === 'string' ? value : JSON.stringify(value))
