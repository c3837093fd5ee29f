// What call() adds to a bare spawn of the same script.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from '../src/index.ts'
import { compare } from './measure.ts'
import { spawnBare } from './spawn-bare.ts'
import { printTable } from './table.ts'

export async function benchCall(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-bench-'))
  const scripts = join(folder, 'greeter', 'scripts')
  const script = join(scripts, 'greet.sh')
  mkdirSync(scripts, { recursive: true })
  writeFileSync(join(folder, 'greeter', 'SKILL.md'), '---\nname: greeter\ndescription: Greets.\n---\n')
  writeFileSync(script, '#!/bin/sh\n# Greets somebody.\necho "hello $1"\n')
  const runtime = await createRuntime({ sources: [folder], defaultSources: false, workspace: folder })

  const times = await compare(
    {
      spawn: () => spawnBare('/bin/sh', [script, 'Ada']),
      call: async () => {
        const result = await runtime.call({ toolId: 'greeter.greet', args: { arguments: ['Ada'] } })
        if (!result.ok || result.data !== 'hello Ada') throw new Error(JSON.stringify(result))
      },
    },
    { rounds: 300, warmUp: 20 },
  )
  await runtime.close()
  rmSync(folder, { recursive: true })

  const ratio = (ms: number) => `${(ms / times.spawn).toFixed(2)}×`
  printTable('Call a sh script (target: at most 1.3× at p50)', [
    ['', 'p50 ms', 'ratio'],
    ['child_process.spawn, stdout collected (baseline)', times.spawn.toFixed(2), ratio(times.spawn)],
    ['runtime.call(): validated, limited, audited to file', times.call.toFixed(2), ratio(times.call)],
  ])
}
