// Looking at 1,000 unchanged skills again, against compiling them the first time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from '../src/index.ts'
import { generateSkills } from './generate-skills.ts'
import { median, time } from './measure.ts'
import { printTable } from './table.ts'

const COUNT = 1000

export async function benchRecompile(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  generateSkills(folder, COUNT)
  const first: number[] = []
  const again: number[] = []
  for (let round = 0; round < 7; round++) {
    let tools: readonly unknown[] = []
    const start = performance.now()
    const runtime = await createRuntime({ sources: [folder], defaultSources: false, audit: false })
    tools = await runtime.tools()
    first.push(performance.now() - start)
    for (let i = 0; i < 5; i++)
      again.push(
        await time(async () => {
          const fresh = await runtime.tools()
          if (fresh.length !== tools.length || fresh[0] !== tools[0]) throw new Error('compiled again')
        }),
      )
    await runtime.close()
  }
  rmSync(folder, { recursive: true })
  const baseline = median(first)
  const ratio = (ms: number) => `${(ms / baseline).toFixed(3)}×`
  printTable(`Compile ${COUNT} skills, then look at them again unchanged (target: at most 0.1×)`, [
    ['', 'median ms', 'ratio'],
    ['createRuntime + tools, the first time (baseline)', baseline.toFixed(1), ratio(baseline)],
    ['tools() again, nothing changed', median(again).toFixed(1), ratio(median(again))],
  ])
}
