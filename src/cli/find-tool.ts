import type { Runtime } from '../runtime.ts'
import { nearest } from '../text/nearest.ts'
import type { Caller, Tool } from '../types.ts'
import { UsageError } from './usage-error.ts'

/** The tool with this id. Throws `UsageError` with the nearest ids when there is none. */
export async function findTool(runtime: Runtime, id: string, who: { readonly caller?: Caller }): Promise<Tool> {
  const tools = await runtime.tools(who)
  const tool = tools.find(one => one.id === id)
  if (tool) return tool
  const close = nearest(
    id,
    tools.map(one => one.id),
  )
  const advice = close.length > 0 ? `Did you mean ${close.join(', ')}?` : '`skillwright list` shows all.'
  throw new UsageError(`There is no tool ${JSON.stringify(id)}. ${advice}`)
}
