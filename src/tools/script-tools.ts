// The scripts of a skill → its tools. What is no tool is in the report, with the reason.
import { join } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import type { Diagnostic, LeftOut, LeftOutReason, Skill, Tool, ToolStatus } from '../types.ts'
import { FREE_FORM_SCHEMA } from './free-form.ts'
import { type FoundFile, listRoot, listScriptsFolder } from './list-files.ts'
import { groupVariants } from './merge-variants.ts'
import { readCandidate, type Script } from './script-candidate.ts'
import { nameOfScript, uniqueName } from './script-name.ts'

export type ScriptTools = {
  readonly tools: readonly Tool[]
  readonly invalid: readonly ToolStatus[]
  readonly leftOut: readonly LeftOut[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a skill's scripts. Never throws. */
export function readScriptTools(skill: Skill, options: { readonly timeoutMs: number }): ScriptTools {
  const tools: Tool[] = []
  const invalid: ToolStatus[] = []
  const leftOut: LeftOut[] = []
  const diagnostics: Diagnostic[] = []

  const inScripts = readAll(listScriptsFolder(skill.folder), { sayData: true })
  const atRoot = listRoot(skill.folder)
  if (inScripts.length > 0) {
    addTools(inScripts)
    for (const found of atRoot)
      if (isScript(found)) leave(found.file, 'not-in-scripts', 'the skill has a scripts/ folder')
  } else {
    addTools(readAll(atRoot, { sayData: false }))
  }
  return { tools, invalid, leftOut, diagnostics }

  function readAll(files: readonly FoundFile[], { sayData }: { sayData: boolean }): Script[] {
    const scripts: Script[] = []
    const kinds = new Map(files.map(found => [found.file, found]))
    for (const [file = '', ...variants] of groupVariants([...kinds.keys()])) {
      const candidate = readCandidate(skill.folder, kinds.get(file)!)
      if (candidate.kind === 'script') scripts.push(candidate.script)
      else if (candidate.kind === 'refused') refuse(file, candidate.reason, candidate.why)
      else if (sayData || candidate.reason !== 'data-file') leave(file, candidate.reason, candidate.detail)
      for (const variant of variants) leave(variant, 'platform-variant', `is ${file} for another platform`)
    }
    return scripts
  }

  function isScript(found: FoundFile): boolean {
    return readCandidate(skill.folder, found).kind === 'script'
  }

  function addTools(scripts: readonly Script[]): void {
    const taken = new Set<string>()
    for (const script of scripts) {
      const name = uniqueName(script.file, taken)
      taken.add(name)
      tools.push(toTool(script, name))
      sayAbout(script, name)
    }
  }

  function toTool({ file, language, shebang, inspection }: Script, name: string): Tool {
    return {
      id: `${skill.id}.${name}`,
      name,
      skill: skill.id,
      description: inspection.description ?? `Execute ${name}`,
      inputSchema: FREE_FORM_SCHEMA,
      executor: {
        type: 'script',
        file,
        language,
        ...(shebang && { shebang }),
        // Skills in the wild are written to run where the user's files are.
        cwd: 'workspace',
        convention: { type: 'free-form' },
      },
      timeoutMs: options.timeoutMs,
    }
  }

  function sayAbout({ file, inspection }: Script, name: string): void {
    for (const note of inspection.notes) {
      const hint = 'The tool still runs: give its command line in `arguments`.'
      say('script-unreadable', file, note.message, hint, note.line)
    }
    if (name !== nameOfScript(file))
      say(
        'tool-renamed',
        file,
        `Another script has the name ${nameOfScript(file)}; this tool is ${skill.id}.${name}.`,
        'Rename one of them.',
      )
  }

  function refuse(file: string, reason: LeftOutReason, why: { code: string; message: string }): void {
    leave(file, reason, why.message)
    const path = join(skill.folder, file)
    invalid.push({
      id: `${skill.id}.${nameOfScript(file)}`,
      status: 'invalid',
      reason: `${why.code}: ${why.message}`,
      file: path,
    })
    const hint = reason === 'setuid' ? `Run chmod ug-s on it.` : 'Copy the file into the skill.'
    say('script-refused', file, why.message, hint)
  }

  function leave(file: string, reason: LeftOutReason, detail: string): void {
    leftOut.push({ skill: skill.id, file, reason, detail })
  }

  function say(code: Diagnostic['code'], file: string, message: string, hint: string, line?: number): void {
    diagnostics.push(diagnose(code, { file: join(skill.folder, file), line }, { message, hint }))
  }
}
