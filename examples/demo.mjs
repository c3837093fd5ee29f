// A short tour on the example skills: what `npm start` shows.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pc from 'picocolors'
import { createRuntime, toText } from 'skillwright'

const skills = join(import.meta.dirname, 'skills')
const workspace = mkdtempSync(join(tmpdir(), 'skillwright-demo-'))
const runtime = await createRuntime({ sources: [skills], defaultSources: false, workspace })
let wrong = 0
runtime.on('dynamic_tool.call', event => console.log(pc.dim(`   audit: ${event.status} in ${event.latencyMs} ms`)))

try {
  heading('Every script in these folders is a tool, with parameters read from its source')
  const tools = await runtime.tools()
  const scripts = tools.filter(tool => tool.executor.type === 'script')
  for (const { id, description, inputSchema } of scripts) {
    console.log(`   ${id.padEnd(30)} ${description}`)
    console.log(pc.dim(`   ${' '.repeat(30)} takes ${Object.keys(inputSchema.properties).join(', ') || 'nothing'}`))
  }

  heading('Call some: Python, shell, Node')
  await call('calculator.add', { arguments: ['0.1', '0.2', '40'] })
  await call('pdf-processor.info', { file: join(skills, 'pdf-processor', 'sample.pdf') })
  // Scripts see the workspace and their own skill, no others.
  copyFileSync(join(skills, 'calculator', 'SKILL.md'), join(workspace, 'notes.md'))
  await call('text-stats.long-lines', { file: 'notes.md', limit: '100' })
  await call('json-tools.pick', { path: 'users.1.name', data: { users: [{ name: 'Ada' }, { name: 'Grace' }] } })

  heading('A failure says what to do next')
  await call('calculator.add', { arguments: ['one'] }, { fails: true })
  await call('pdf-processor.info', { fil: 'sample.pdf' }, { fails: true })

  heading('A skill itself is a prompt')
  console.log(indent(await runtime.invokeSkill('release-notes', '1.2.0 developers')))

  heading('Go on')
  console.log(`   npx skillwright list --source examples/skills
   npx skillwright show calculator.add --source examples/skills
   npx skillwright doctor <your folder of skills>
   README.md: the library, LangChain.js, the command line`)
} finally {
  await runtime.close()
  rmSync(workspace, { recursive: true, force: true })
}
process.exitCode = wrong > 0 ? 1 : 0

async function call(toolId, args, { fails = false } = {}) {
  console.log(`\n   ${pc.bold(toolId)} ${pc.dim(shorten(JSON.stringify(args)))}`)
  const result = await runtime.call({ toolId, args })
  console.log(indent((result.ok ? pc.green : pc.yellow)(toText(result))))
  if (result.ok === fails) wrong++
}

function heading(text) {
  console.log(`\n${pc.bold(pc.cyan(text))}`)
}

function shorten(text) {
  return text.replaceAll(skills, 'examples/skills')
}

function indent(text) {
  return text.trimEnd().replaceAll(/^/gm, '   ')
}
