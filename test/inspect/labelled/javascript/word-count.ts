import { readFileSync } from 'node:fs'

/** Counts the words of files. */
function main(files: string[]): void {
  for (const file of files) {
    const words = readFileSync(file, 'utf8').split(/\s+/).filter(Boolean)
    console.log(`${file}: ${words.length}`)
  }
}

const files = process.argv.slice(2)
if (files.length === 0) throw new Error('give at least one file')
main(files)
