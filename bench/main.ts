// npm run bench [-- name...]: each benchmark prints a small table, its figures as ratios against a named baseline.
import { benchCall } from './call.ts'
import { benchContextCost } from './context-cost.ts'
import { benchHttp } from './http.ts'
import { benchLoad } from './load.ts'
import { benchMcp } from './mcp.ts'
import { benchRecompile } from './recompile.ts'
import { benchSearch } from './search-scale.ts'
import { benchServers } from './servers.ts'
import { benchSpawn } from './spawn.ts'
import { benchStarts } from './starts.ts'

const BENCHMARKS: Readonly<Record<string, () => Promise<void>>> = {
  load: benchLoad,
  recompile: benchRecompile,
  servers: benchServers,
  call: benchCall,
  starts: benchStarts,
  spawn: benchSpawn,
  http: benchHttp,
  'context-cost': benchContextCost,
  search: benchSearch,
  mcp: benchMcp,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !Object.hasOwn(BENCHMARKS, name))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}`)
  process.exit(2)
}
for (const [name, run] of Object.entries(BENCHMARKS)) if (wanted.length === 0 || wanted.includes(name)) await run()
