#!/usr/bin/env node
// Format the JSON that comes on stdin, keys sorted.
import { text } from 'node:stream/consumers'

const sorted = value =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])]))
    : Array.isArray(value)
      ? value.map(sorted)
      : value

console.log(JSON.stringify(sorted(JSON.parse(await text(process.stdin))), null, 2))
