// Loading the metadata of 1,000 skills, against the loader of the MCP server package.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSkills as loadWithMcp } from '@modelcontextprotocol/server/ext/skills/node'
import { createRuntime } from '../src/index.ts'
import { generateSkills } from './generate-skills.ts'
import { compare } from './measure.ts'
import { printTable } from './table.ts'

const COUNT = 1000

export async function benchLoad(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  generateSkills(folder, COUNT)
  const load = async () => {
    const runtime = await createRuntime({ sources: [folder], defaultSources: false, audit: false })
    const { length } = await runtime.listSkills()
    if (length !== COUNT) throw new Error(`${length} skills loaded instead of ${COUNT}`)
    await runtime.close()
  }
  const times = await compare({ mcp: () => loadWithMcp(folder), skillwright: load }, { rounds: 21, warmUp: 5 })
  rmSync(folder, { recursive: true })

  const ratio = (ms: number) => `${(ms / times.mcp).toFixed(3)}×`
  printTable(`Load the metadata of ${COUNT} skills (target: at most 0.1×)`, [
    ['', 'median ms', 'ratio'],
    ['@modelcontextprotocol/server ext/skills (baseline)', times.mcp.toFixed(1), ratio(times.mcp)],
    ['skillwright createRuntime + listSkills', times.skillwright.toFixed(1), ratio(times.skillwright)],
  ])
}
