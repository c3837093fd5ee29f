import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { createRuntime } from '../runtime.ts'
import type { CommonOptions } from './config.ts'
import { printDiagnostics } from './doctor.ts'
import { dim, green, print, printJson, red, table } from './output.ts'
import { UsageError } from './usage-error.ts'

/** `skillwright validate <manifest>`: checks one file that declares tools. Exit code 1 when a tool in it is invalid. */
export async function validate(path: string, options: Pick<CommonOptions, 'json' | 'quiet'>): Promise<number> {
  const file = resolve(path)
  const folder = skillFolderOf(file)
  const runtime = await createRuntime({ sources: [folder], defaultSources: false, audit: false, workspace: folder })
  try {
    const report = await runtime.report()
    const diagnostics = report.diagnostics.filter(one => one.file === file)
    const origins = ORIGINS[kindOf(file)]
    const tools = (await runtime.tools()).filter(tool => origins.includes(tool.origin))
    const invalid = report.tools.filter(tool => tool.status === 'invalid' && tool.file === file)
    const hasError = diagnostics.some(one => one.severity === 'error')
    if (options.json) printJson({ file, tools: tools.map(({ id }) => id), invalid, diagnostics })
    else {
      printDiagnostics(diagnostics, options)
      if (!options.quiet) {
        const rows = [...tools.map(tool => [green('ok'), tool.id, dim(tool.executor.type)])]
        print(table([...rows, ...invalid.map(tool => [red('invalid'), tool.id, ''])]))
      }
    }
    return hasError ? 1 : 0
  } finally {
    await runtime.close()
  }
}

const ORIGINS = {
  manifest: ['tool-manifest'],
  'scripts-manifest': ['scripts-manifest'],
  skill: ['frontmatter'],
} as const satisfies Record<string, readonly string[]> as Record<
  'manifest' | 'scripts-manifest' | 'skill',
  readonly string[]
>

function kindOf(file: string): 'manifest' | 'scripts-manifest' | 'skill' {
  const name = basename(file)
  if (/^tool-manifest\.(?:ya?ml|json)$/.test(name)) return 'manifest'
  if (/^manifest\.(?:ya?ml|json)$/.test(name) && basename(dirname(file)) === 'scripts') return 'scripts-manifest'
  if (/^skill\.md$/i.test(name)) return 'skill'
  throw new UsageError(`${file} declares no tools: name a tool-manifest.yaml, a scripts/manifest.yml or a SKILL.md.`)
}

function skillFolderOf(file: string): string {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
  const folder = kindOf(file) === 'scripts-manifest' ? dirname(dirname(file)) : dirname(file)
  if (!['SKILL.md', 'skill.md'].some(name => existsSync(join(folder, name))))
    throw new UsageError(`There is no SKILL.md in ${folder}; a manifest belongs beside one.`)
  return folder
}
