#!/usr/bin/env node
// A list of things to do, kept in a file.
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'todo.json'
const load = () => JSON.parse(readFileSync(FILE, 'utf8'))
const save = items => writeFileSync(FILE, JSON.stringify(items))

const [command, ...rest] = process.argv.slice(2)

switch (command) {
  case 'add': {
    const text = rest.join(' ')
    if (!text) {
      console.error('todo add <text>')
      process.exit(1)
    }
    save([...load(), { text, done: false }])
    break
  }
  case 'done': {
    const index = parseInt(rest[0], 10)
    if (Number.isNaN(index)) throw new Error('todo done <number>')
    const items = load()
    items[index].done = true
    save(items)
    break
  }
  case 'list':
    console.log(load())
    break
  default:
    console.error('Usage: todo.mjs <add|done|list>')
    process.exit(1)
}
