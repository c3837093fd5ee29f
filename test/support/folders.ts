import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/index.ts'

/** A temporary folder with these files; removed when the test ends. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skillwright-test-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** A SKILL.md with a good frontmatter. */
export function skillMd(name: string, more = '', body = `# ${name}\n`): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}`
}

/** A runtime on one folder, with a workspace of its own; closed when the test ends. */
export async function makeRuntime(source: string, options: RuntimeOptions = {}): Promise<Runtime> {
  const workspace = options.workspace ?? makeFolder()
  const runtime = await createRuntime({ sources: [source], defaultSources: false, ...options, workspace })
  onTestFinished(() => runtime.close())
  return runtime
}
