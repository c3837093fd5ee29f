// Rewrites the tables of docs/ and the files of schemas/ from the built code: `npm run build && node scripts/write-tables.mjs`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DIAGNOSTICS } from '../dist/diagnostics.js'
import { ERROR_CODES, ERROR_STATUS } from '../dist/errors.js'
import { PUBLISHED_SCHEMAS } from '../dist/tools/manifest-schema.js'

writeTable(
  'errors',
  Object.entries(ERROR_CODES).map(([code, means]) => {
    const { http, grpc, jsonRpc } = ERROR_STATUS[code]
    return [code, means, http, grpc, jsonRpc]
  }),
)
writeTable(
  'diagnostics',
  Object.entries(DIAGNOSTICS).map(([code, { severity, means }]) => [code, severity, means]),
)

mkdirSync(new URL('../schemas', import.meta.url), { recursive: true })
for (const [name, schema] of Object.entries(PUBLISHED_SCHEMAS))
  writeFileSync(new URL(`../schemas/${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`)

/** Replaces the rows below the header of the page's only table. */
function writeTable(page, entries) {
  const path = new URL(`../docs/${page}.md`, import.meta.url)
  const rows = entries.map(([code, ...cells]) => `| ${[`\`${code}\``, ...cells].join(' | ')} |`)
  const [before] = readFileSync(path, 'utf8').split(/(?<=^\|(?:-+\|)+\n)/m)
  writeFileSync(path, `${before}${rows.join('\n')}\n`)
}
