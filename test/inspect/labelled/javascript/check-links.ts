// Follows every link of a page and reports those that are dead.
import { parseArgs } from 'node:util'

interface Result { url: string; status: number }

const args = parseArgs({
  args: process.argv.slice(2),
  strict: true,
  allowNegative: true,
  options: {
    url: { type: 'string' },
    timeout: { type: 'string' },
    color: { type: 'boolean', default: true },
    verbose: { type: 'boolean', short: 'v' },
  },
} as const)

async function check(url: string, timeoutMs: number): Promise<Result> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  return { url, status: response.status }
}

const { url, timeout, color, verbose } = args.values
if (!url) {
  console.error('--url is needed')
  process.exit(2)
}
const result = await check(url, Number(timeout ?? 5000))
if (verbose) console.log(color ? '\u001b[32mdone\u001b[0m' : 'done')
console.log(JSON.stringify(result))
