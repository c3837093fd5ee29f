#!/usr/bin/env node
/** Shrinks pictures so that they fit a page. */
import { readdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'

const { values, positionals } = parseArgs({
  options: {
    width: { type: 'string', short: 'w', default: '1024' },
    format: { type: 'string', short: 'f' },
    tag: { type: 'string', multiple: true },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
})

if (values.help || positionals.length < 1) {
  console.error('Usage: resize-images.mjs <folder> [target] [--width N] [--format webp|png] [--tag T]...')
  process.exit(1)
}
const [folder, target = 'out'] = positionals
const FORMATS = ['webp', 'png']
if (values.format && !FORMATS.includes(values.format)) throw new Error(`unknown format ${values.format}`)
const width = Number.parseInt(values.width, 10)
for (const name of await readdir(folder)) {
  await sharp(`${folder}/${name}`).resize({ width, withoutEnlargement: !values.force }).toFile(`${target}/${name}`)
}
console.log(values.tag ?? [])
