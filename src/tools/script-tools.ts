// The scripts of a skill → its tools. What is no tool is in the report, with the reason.
import { join } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import type { ErrorCode } from '../errors.ts'
import { readShownCommands } from '../inspect/shown-commands.ts'
import type { Diagnostic, LeftOut, LeftOutReason, Skill, Tool, ToolStatus, Variable } from '../types.ts'
import { type FoundFile, listRoot, listScriptsFolder } from './list-files.ts'
import { groupVariants } from './merge-variants.ts'
import { readCandidate, type Script } from './script-candidate.ts'
import { nameOfScript, uniqueName } from './script-name.ts'
import { toolsOfScript } from './tools-of-script.ts'

export type ScriptTools = {
  readonly tools: readonly Tool[]
  readonly invalid: readonly ToolStatus[]
  readonly leftOut: readonly LeftOut[]
  readonly diagnostics: readonly Diagnostic[]
}

export type ScriptToolsOptions = {
  readonly timeoutMs: number
  /** The text of SKILL.md, read when a script tells nothing of itself. */
  readonly skillText: () => string
  /** Tools that the skill declares: their scripts are theirs, their names are taken. */
  readonly declared: readonly Tool[]
  /** Variables that the skill declares for all of its programs. */
  readonly variables?: readonly Variable[]
}

/** Reads a skill's scripts. Never throws. */
export function readScriptTools(skill: Skill, options: ScriptToolsOptions): ScriptTools {
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
    for (const variants of groupVariants([...kinds.keys()])) {
      let chosen: string | undefined
      for (const file of variants) {
        if (chosen !== undefined) {
          leave(file, 'platform-variant', `is ${chosen} for another platform`)
          continue
        }
        const candidate = readCandidate(skill.folder, kinds.get(file)!)
        if (candidate.kind === 'script') {
          scripts.push(candidate.script)
          chosen = file
        } else if (candidate.kind === 'refused') refuse(file, candidate.reason, candidate.why)
        else if (sayData || candidate.reason !== 'data-file') leave(file, candidate.reason, candidate.detail)
      }
    }
    return scripts
  }

  function isScript(found: FoundFile): boolean {
    return readCandidate(skill.folder, found).kind === 'script'
  }

  function addTools(scripts: readonly Script[]): void {
    const taken = new Set(options.declared.map(tool => tool.name))
    for (const script of scripts) {
      const owner = options.declared.find(({ executor }) => executor.type === 'script' && executor.file === script.file)
      if (owner) {
        leave(script.file, 'declared', `is declared as ${owner.id}`)
        continue
      }
      const name = uniqueName(script.file, taken)
      taken.add(name)
      const shownCommands = () => readShownCommands(options.skillText(), script.file)
      for (const tool of toolsOfScript(script, { skill, name, timeoutMs: options.timeoutMs, shownCommands })) {
        taken.add(tool.name)
        tools.push(tool)
      }
      sayAbout(script, name)
    }
  }

  function sayAbout({ file, inspection }: Script, name: string): void {
    for (const { message, line, about } of inspection.notes)
      if (about === 'terminal') say('script-interactive', file, message, ANSWERS, line)
      else if (about === 'environment') {
        if (!isDeclared(message)) say('variable-needed', file, message, NO_VARIABLES, line)
      }
      // `data` is there for it.
      else if (about === 'stdin') continue
      else if (inspection.confidence === 'partial')
        say('script-partly-read', file, message, 'The rest of its command line goes into `arguments`.', line)
      else say('script-unreadable', file, message, 'The tool still runs: give its command line in `arguments`.', line)
    if (inspection.interactive && inspection.notes.every(({ about }) => about !== 'terminal'))
      say('script-interactive', file, 'Asks questions on a terminal.', ANSWERS)
    if (name !== nameOfScript(file))
      say(
        'tool-renamed',
        file,
        `Another script has the name ${nameOfScript(file)}; this tool is ${skill.id}.${name}.`,
        'Rename one of them.',
      )
  }

  function isDeclared(note: string): boolean {
    return options.variables?.some(({ name }) => note.endsWith(` ${name}`)) ?? false
  }

  function refuse(file: string, reason: LeftOutReason, why: { code: ErrorCode; message: string }): void {
    leave(file, reason, why.message)
    const path = join(skill.folder, file)
    invalid.push({
      id: `${skill.id}.${nameOfScript(file)}`,
      status: 'invalid',
      reason: why.message,
      code: why.code,
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

const ANSWERS = 'Let it take the answers as arguments too.'

const NO_VARIABLES =
  'Declare it with `env:` in SKILL.md, and grant it; or let the script take the value from an argument, too.'
