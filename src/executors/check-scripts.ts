// What the scripts of a snapshot need and this machine lacks: interpreters, modules, programs.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { diagnose } from '../diagnostics.ts'
import type { Interpreters } from '../process/interpreters.ts'
import type { Diagnostic, Requirement, ScriptSpec, Snapshot } from '../types.ts'
import { installHint } from './install-hint.ts'

type ScriptFile = { readonly path: string; readonly spec: ScriptSpec; readonly requirements: readonly Requirement[] }

/** One diagnostic for each thing that a script cannot run without. Scripts themselves are not run. */
export async function checkScripts(snapshot: Snapshot, interpreters: Interpreters): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  const pythons = new Map<string, ScriptFile[]>()
  for (const script of scriptsOf(snapshot)) {
    const interpreter = await interpreters.find(script.spec)
    if (!interpreter.found) diagnostics.push(withoutInterpreter(script, interpreter.wanted))
    else if (script.spec.language === 'python')
      pythons.set(interpreter.command, [...(pythons.get(interpreter.command) ?? []), script])
    else diagnostics.push(...(await filterMissing(script, one => isMissing(script.path, one, interpreters))))
  }
  for (const [python, scripts] of pythons) {
    const missing = await missingPythonModules(python, scripts)
    for (const script of scripts)
      diagnostics.push(
        ...(await filterMissing(script, async ({ kind, name }) => kind === 'module' && missing.has(name))),
      )
  }
  return diagnostics
}

/** Each file once: the sub-commands of a script share its needs. */
function scriptsOf(snapshot: Snapshot): Iterable<ScriptFile> {
  const scripts = new Map<string, ScriptFile>()
  for (const { executor, skill, reading } of snapshot.tools.values()) {
    if (executor.type !== 'script') continue
    const path = join(snapshot.skills.get(skill)!.folder, executor.file)
    scripts.set(path, { path, spec: executor, requirements: reading?.requirements ?? [] })
  }
  return scripts.values()
}

async function filterMissing(
  { path, spec, requirements }: ScriptFile,
  isMissing: (requirement: Requirement) => Promise<boolean>,
): Promise<Diagnostic[]> {
  const missing: Diagnostic[] = []
  for (const requirement of requirements) {
    if (!(await isMissing(requirement))) continue
    const message = `Needs the ${requirement.kind} ${requirement.name}, which is not installed.`
    const hint = installHint(requirement, spec.language)
    missing.push(diagnose('requirement-missing', { file: path, line: requirement.line }, { message, hint }))
  }
  return missing
}

async function isMissing(script: string, { kind, name }: Requirement, interpreters: Interpreters): Promise<boolean> {
  return kind === 'program' ? (await interpreters.locate(name)) === undefined : !hasNodeModule(dirname(script), name)
}

function hasNodeModule(folder: string, name: string): boolean {
  if (existsSync(join(folder, 'node_modules', name))) return true
  const parent = dirname(folder)
  return parent !== folder && hasNodeModule(parent, name)
}

/** Asks the interpreter once for all modules; looking a module up does not run it. */
function missingPythonModules(python: string, scripts: readonly ScriptFile[]): Promise<ReadonlySet<string>> {
  const names = scripts.flatMap(one => one.requirements.flatMap(({ kind, name }) => (kind === 'module' ? [name] : [])))
  const unique = [...new Set(names)].filter(name => /^\w+$/.test(name))
  if (unique.length === 0) return Promise.resolve(new Set())
  return new Promise(resolve => {
    const child = execFile(python, ['-I', '-c', FIND_MODULES], { timeout: 20_000 }, (error, stdout) =>
      resolve(new Set(error ? [] : stdout.split('\n').filter(Boolean))),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(unique.join('\n'))
  })
}

const FIND_MODULES = `
import sys, importlib.util
for name in sys.stdin.read().split():
    if importlib.util.find_spec(name) is None: print(name)
`

function withoutInterpreter({ path }: ScriptFile, wanted: readonly string[]): Diagnostic {
  const programs = wanted.join(' or ')
  const hint = `Install ${programs}, or put it on the PATH.`
  return diagnose('interpreter-missing', { file: path, line: 1 }, { message: `Needs ${programs}.`, hint })
}
