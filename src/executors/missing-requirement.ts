import type { Requirement, ScriptSpec } from '../types.ts'

type Missing = Omit<Requirement, 'line'>

/** What a failed script lacked, by the words in which its interpreter complains; undefined when it failed otherwise. */
export function missingRequirement(
  stderr: string,
  { language }: ScriptSpec,
  known: readonly Requirement[],
): Missing | undefined {
  for (const [pattern, kind] of COMPLAINTS[language] ?? []) {
    const name = pattern.exec(stderr)?.[1]
    if (name === undefined) continue
    const module = kind === 'module' && language === 'python' ? name.split('.')[0]! : name
    return known.find(one => one.kind === kind && one.name === module) ?? { kind, name: module }
  }
  return undefined
}

type Complaint = readonly [RegExp, Requirement['kind']]

const NODE: readonly Complaint[] = [
  [/Cannot find package '([^'./][^']*)'/, 'module'],
  [/Cannot find module '([^'./][^']*)'/, 'module'],
  [/spawn (?:Sync )?([\w.+-]+) ENOENT/, 'program'],
]

const COMPLAINTS: Readonly<Partial<Record<ScriptSpec['language'], readonly Complaint[]>>> = {
  python: [[/^ModuleNotFoundError: No module named '([\w.]+)'/m, 'module']],
  shell: [
    [/: line \d+: ([\w.+-]+): command not found$/m, 'program'],
    [/: \d+: ([\w.+-]+): not found$/m, 'program'],
  ],
  javascript: NODE,
  typescript: NODE,
  ruby: [[/cannot load such file -- ([\w/-]+) \(LoadError\)/, 'module']],
  perl: [[/Can't locate \S+ in @INC \(you may need to install the ([\w:]+) module\)/, 'module']],
}
