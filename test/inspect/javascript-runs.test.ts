import { describe, expect, it } from 'vitest'
import { inspectJavascript } from '../../src/inspect/javascript/inspect-javascript.ts'

function runs(text: string) {
  return inspectJavascript({ path: 'x.ts', text, language: 'typescript', sibling: () => undefined }).runs
}

describe('a file that runs', () => {
  it.each([
    ['a call of main', 'function main() {}\nmain()'],
    ['a caught call of main', 'main().catch(console.error)'],
    ['a top-level await', "import { run } from './run.js'\nexport const done = await run()"],
    ['control flow', 'for (const x of [1]) console.log(x)'],
    ['a check of require.main', 'function f() {}\nmodule.exports = f\nif (require.main === module) f()'],
    ['a check of import.meta.url', 'export function f() {}\nif (import.meta.url === `file://${process.argv[1]}`) f()'],
    ['a guarded call', 'require.main === module && main()'],
    ['an async wrapper called at once', '(async () => { await work() })()'],
    ['a result kept in a constant, with nothing exported', 'const result = work()'],
  ])('is told by %s', (_, text) => {
    expect(runs(text)).toBe(true)
  })
})

describe('a library module', () => {
  it.each([
    ['exports functions', "import fs from 'node:fs'\nexport function read() { return fs.readFileSync('x') }"],
    ['exports constants that it computes', "export const ROOT = path.join(__dirname, '..')\nexport default { a: 1 }"],
    ['fills module.exports', "'use strict'\nconst a = require('a')\nclass B {}\nmodule.exports = { a, B }"],
    [
      'fills module.exports after a check',
      "function f() {}\nif (typeof module !== 'undefined') module.exports = { f }",
    ],
    ['has types only', 'export interface A { b: string }\nexport type C = A | null'],
    ['passes others on', "export * from './a.js'\nexport { b } from './b.js'"],
    ['has a client made at load', 'const client = new Client()\nmodule.exports = { client }'],
    ['is empty', '// nothing here'],
  ])('%s', (_, text) => {
    expect(runs(text)).toBe(false)
  })
})
