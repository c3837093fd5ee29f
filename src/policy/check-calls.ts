// Tools of others run under the policy of others: a stranger's declaration that calls them would borrow their rights.
import { fail } from '../errors.ts'
import type { Outcome, Policy, Snapshot, Tool } from '../types.ts'

/** Why a tool may not call what its declaration names; undefined when it may. */
export function checkCalls(policy: Policy, tool: Tool, { tools }: Pick<Snapshot, 'tools'>): Outcome | undefined {
  const foreign = policy.calls === 'own' ? foreignCall(tool, tools) : undefined
  if (foreign === undefined) return undefined
  const message = `The policy ${policy.name} lets ${tool.id} call tools of its own skill only, not ${foreign}.`
  return fail('POLICY_DENIED', message, {
    hints: [
      `A policy with \`calls: all\` allows it; so does \`skillwright trust ${tool.skill} --policy balanced\`, with all else that balanced allows.`,
    ],
    nextAction: 'Tell the user, who can allow it; use another tool meanwhile.',
  })
}

function foreignCall({ executor, origin, skill }: Tool, tools: Snapshot['tools']): string | undefined {
  // What a mounted server offers is its own.
  if (executor.type === 'mcp') return origin === 'mcp-server' ? undefined : `those of the MCP server ${executor.server}`
  if (executor.type !== 'pipeline') return undefined
  return executor.steps.map(step => step.tool).find(id => id.includes('.') && isOfOthers(id))

  function isOfOthers(id: string): boolean {
    const found = tools.get(id)
    return found !== undefined && found.skill !== skill
  }
}
