import { relative } from 'node:path'
import type { Machine } from '../policy/machine.ts'
import type { Runtime } from '../runtime.ts'
import type { Diagnostic } from '../types.ts'
import type { CommonOptions } from './config.ts'
import { bold, dim, green, print, printJson, red, table, yellow } from './output.ts'

const COLOURS = { error: red, warning: yellow, info: dim }

/** `skillwright doctor [folder]`: everything that is wrong, where, and how to mend it. Exit code 1 on any error. */
export async function doctor(runtime: Runtime, options: CommonOptions): Promise<number> {
  const report = await runtime.report()
  const count = (severity: Diagnostic['severity']) =>
    report.diagnostics.filter(diagnostic => diagnostic.severity === severity).length
  const code = count('error') > 0 ? 1 : 0
  const machine = await runtime.machine()
  if (options.json) {
    printJson({ ...report, machine })
    return code
  }
  printDiagnostics(report.diagnostics, options)
  if (!options.quiet && report.leftOut.length > 0) {
    print(bold('Files that are no tools'))
    print(table(report.leftOut.map(one => [`  ${one.skill}`, one.file, one.reason, dim(one.detail)])))
    print('')
  }
  const { counts } = report
  print(
    table([
      ['skills', String(counts.skills)],
      ['tools', `${counts.ok} ok, ${counts.invalid} invalid, ${counts.shadowed} shadowed`],
      ['files left out', String(counts.leftOut)],
      ['problems', `${count('error')} errors, ${count('warning')} warnings, ${count('info')} notes`],
    ]),
  )
  print(`\n${bold('What this machine can enforce')}\n${table(machineRows(machine))}`)
  if (report.diagnostics.length === 0) print(green('Nothing to mend.'))
  return code
}

function machineRows({ sandbox, version, why, remedy, memory, ...can }: Machine): string[][] {
  const holds = (isHeld: boolean, note = '') => (isHeld ? green('yes') + note : red('no'))
  return [
    ['  sandbox', sandbox === 'none' ? `${red('none')}: ${why}` : [sandbox, version].filter(Boolean).join(' ')],
    ['  network cut off', holds(can.network)],
    ['  network to single hosts', holds(can.hosts)],
    ['  files', holds(can.files)],
    ['  device nodes', holds(can.devices)],
    [
      '  memory',
      holds(
        memory !== 'none',
        memory === 'each' ? ', for each process at once, for all together ten times a second' : '',
      ),
    ],
    ['  processes', holds(can.processes)],
    ['  disk space', holds(can.fileSize && can.written && can.temp)],
    ...(remedy === undefined ? [] : [['  to get more', remedy]]),
  ]
}

/** Each with file, line and remedy; with `quiet` only errors. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], { quiet }: Pick<CommonOptions, 'quiet'>): void {
  for (const diagnostic of diagnostics) if (!quiet || diagnostic.severity === 'error') print(describe(diagnostic))
}

function describe({ severity, code, message, file, line, hint }: Diagnostic): string {
  const path = relative(process.cwd(), file)
  const place = `${path.startsWith('..') ? file : path || '.'}${line === undefined ? '' : `:${line}`}`
  return `${COLOURS[severity](severity.padEnd(7))} ${bold(place)} ${dim(code)}\n        ${message}\n        ${green('→')} ${hint}\n`
}
