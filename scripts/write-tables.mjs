// Rewrites the tables of docs/ from the built code: `npm run build && node scripts/write-tables.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'
import { DIAGNOSTICS } from '../dist/diagnostics.js'
import { ERROR_CODES } from '../dist/errors.js'

writeTable('errors', Object.entries(ERROR_CODES))
writeTable(
  'diagnostics',
  Object.entries(DIAGNOSTICS).map(([code, { severity, means }]) => [code, severity, means]),
)

/** Replaces the rows below the header of the page's only table. */
function writeTable(page, entries) {
  const path = new URL(`../docs/${page}.md`, import.meta.url)
  const rows = entries.map(([code, ...cells]) => `| ${[`\`${code}\``, ...cells].join(' | ')} |`)
  const [before] = readFileSync(path, 'utf8').split(/(?<=^\|(?:-+\|)+\n)/m)
  writeFileSync(path, `${before}${rows.join('\n')}\n`)
}
