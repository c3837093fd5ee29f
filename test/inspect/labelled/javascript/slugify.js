#!/usr/bin/env node
// Makes a slug of a title.
const [, , title, separator = '-'] = process.argv

if (!title) {
  console.error('Usage: slugify.js <title> [separator]')
  process.exit(1)
}
console.log(title.toLowerCase().replace(/[^a-z0-9]+/g, separator))
