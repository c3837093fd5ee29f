import { policyRows } from '../policy/describe-policy.ts'
import type { Runtime } from '../runtime.ts'
import type { Policy } from '../types.ts'
import { type CallerOptions, callerOf, knownPolicies } from './config.ts'
import { findTool } from './find-tool.ts'
import { bold, dim, green, print, printJson, red, table, yellow } from './output.ts'
import { policyNamed, toSnakeKeys } from './policy-config.ts'

export type PolicyCommandOptions = CallerOptions & { readonly tool?: string }

/** `skillwright policy [name]`: what the policies say; with `--tool`, which one holds for a tool and what of it is enforced here. */
export async function policy(
  runtime: Runtime,
  options: PolicyCommandOptions,
  name: string | undefined,
): Promise<number> {
  if (options.tool !== undefined) return policyOfTool(runtime, options, options.tool)
  const known = await knownPolicies(options)
  const shown = name === undefined ? [...known.values()] : [policyNamed(name, known, 'policy')]
  if (options.json) printJson(name === undefined ? shown.map(toSnakeKeys) : toSnakeKeys(shown[0]!))
  else print(compare(shown))
  return 0
}

/** One column for each policy. */
function compare(policies: readonly Policy[]): string {
  const columns = policies.map(one => new Map(policyRows(one)))
  const limits = (index: number) => (columns[index]!.get('limits') ?? '').split(', ')
  const rules = [...columns[0]!.keys()].filter(rule => rule !== 'limits')
  const most = Math.max(...columns.map((_, index) => limits(index).length))
  return table([
    ['', ...policies.map(one => bold(one.name))],
    ...rules.map(rule => [rule, ...columns.map(column => column.get(rule) ?? '')]),
    ...Array.from({ length: most }, (_, row) => [
      row === 0 ? 'limits' : '',
      ...columns.map((_, index) => limits(index)[row] ?? ''),
    ]),
  ])
}

async function policyOfTool(runtime: Runtime, options: PolicyCommandOptions, id: string): Promise<number> {
  const who = callerOf(options)
  const tool = await findTool(runtime, id, who)
  const found = (await runtime.policyOf(tool.id, who))!
  if (options.json) {
    printJson({ ...found, policy: toSnakeKeys(found.policy) })
    return 0
  }
  print(`${bold(tool.id)} runs under ${bold(found.policy.name)}: ${found.because}`)
  print(table(policyRows(found.policy).map(([rule, value]) => [`  ${rule}`, value])))
  if (!found.trusted)
    print(
      red(`Not approved as it is now: \`skillwright review ${tool.skill}\`, then \`skillwright trust ${tool.skill}\`.`),
    )
  for (const gap of found.unenforceable) print(`${found.refused ? red('refused') : yellow('not enforced')}  ${gap}`)
  if (found.unenforceable.length === 0) print(green('All of it is enforced here.'))
  else if (!options.quiet) print(dim('`skillwright doctor` says what this machine can enforce, and how to get more.'))
  return 0
}
