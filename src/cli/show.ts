import type { Runtime } from '../runtime.ts'
import type { Reading, ScriptParameter } from '../types.ts'
import { type CallerOptions, callerOf } from './config.ts'
import { findTool } from './find-tool.ts'
import { bold, dim, print, printJson, table } from './output.ts'

/** `skillwright show <tool>`: what a tool is and takes. */
export async function show(runtime: Runtime, options: CallerOptions, id: string): Promise<number> {
  const who = callerOf(options)
  const tool = await findTool(runtime, id, who)
  if (options.json) {
    printJson(tool)
    return 0
  }
  const { executor } = tool
  const rows = [
    ['skill', tool.skill],
    ['kind', executor.type === 'script' ? `${executor.language} script` : executor.type],
    ...(executor.type === 'script'
      ? [
          ['file', executor.file],
          ['runs in', executor.cwd],
        ]
      : []),
    ['time limit', `${tool.timeoutMs / 1000} s`],
    ['policy', (await runtime.policyOf(tool.id, who))?.policy.name ?? ''],
  ]
  if (tool.reading) rows.push(...readingRows(tool.reading))
  print(`${bold(tool.id)}\n${tool.description}\n\n${table(rows)}\n`)
  if (executor.type === 'script' && executor.convention.type === 'command-line')
    print(`${dim('parameters')}\n${table(executor.convention.parameters.map(parameterRow))}\n`)
  print(`${dim('schema')}\n${JSON.stringify(tool.inputSchema, null, 2)}`)
  return 0
}

function parameterRow({ name, schema, required, line, pass }: ScriptParameter): string[] {
  const how = 'flags' in pass ? pass.flags.join(', ') : pass.as === 'environment' ? `$${pass.variable}` : pass.as
  return [`  ${name}`, String(schema['type'] ?? 'any'), required ? 'required' : '', how, `line ${line}`]
}

function readingRows({ confidence, from, line, notes, interactive, requirements }: Reading): string[][] {
  const place = from === 'source' ? 'the source' : 'a command in SKILL.md'
  return [
    [
      'interface',
      confidence === 'none'
        ? 'free-form: nothing typed could be read'
        : `${confidence}, read from ${place}, line ${line}`,
    ],
    ...notes.map(note => ['note', `line ${note.line}: ${note.message}`]),
    ...(interactive && notes.every(({ about }) => about !== 'terminal')
      ? [['note', 'asks questions on a terminal, which nobody will answer']]
      : []),
    ...(requirements.length > 0 ? [['needs', requirements.map(one => one.install ?? one.name).join(', ')]] : []),
  ]
}
