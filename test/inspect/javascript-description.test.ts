import { describe, expect, it } from 'vitest'
import { inspectJavascript } from '../../src/inspect/javascript/inspect-javascript.ts'

function descriptionOf(text: string) {
  return inspectJavascript({ path: 'x.js', text, language: 'javascript', sibling: () => undefined }).description
}

describe('the description of a JavaScript file', () => {
  it('is the first paragraph of the leading block, in one line', () => {
    const text =
      "#!/usr/bin/env node\n'use strict'\n/**\n * Resizes images\n * in a folder.\n *\n * Long story.\n */\nmain()\n"
    expect(descriptionOf(text)).toBe('Resizes images in a folder.')
  })

  it('joins line comments that touch', () => {
    expect(descriptionOf('// Counts words.\n// In Markdown too.\n\n// Unrelated\nmain()')).toBe(
      'Counts words. In Markdown too.',
    )
  })

  it('may stand after the imports, when a blank line parts it from the code', () => {
    const imports = "import fs from 'node:fs'\n\n"
    expect(descriptionOf(`${imports}/** Lists files. */\n\nconst ROOT = '.'\nmain()`)).toBe('Lists files.')
    expect(descriptionOf(`${imports}/** Where to look. */\nconst ROOT = '.'\nmain()`)).toBe(undefined)
  })

  it('leaves out licences, linter lines, usage texts and the name of the file', () => {
    const text = `/* Copyright 2024 Someone. All rights reserved. */
/* eslint-disable no-console */
// @ts-check
/**
 * convert.mjs
 *
 * Converts a table.
 * Usage: node convert.mjs <in>
 */
main()`
    expect(descriptionOf(text)).toBe('Converts a table.')
  })

  it('falls back to the JSDoc of main', () => {
    expect(descriptionOf('const a = 1\n/** Sends the report. */\nasync function main() {}\nmain()')).toBe(
      'Sends the report.',
    )
  })

  it('is cut at a word after 256 characters', () => {
    const cut = descriptionOf(`// ${'word '.repeat(100)}\nmain()`)
    expect(cut?.length).toBeLessThanOrEqual(256)
    expect(cut?.endsWith('word…')).toBe(true)
  })

  it('is absent when nothing was written', () => {
    expect(descriptionOf('main()')).toBe(undefined)
    expect(descriptionOf('')).toBe(undefined)
  })
})
