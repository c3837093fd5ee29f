// The forms in which a result leaves the program. snake_case exists here and beyond only.
import type { Json, ToolResult } from './types.ts'

/** The result block that chat APIs take back. */
export type ToolResultBlock = {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error: boolean
}

/** The result as a shell would see it. */
export type ExitCodeOutput = { readonly exit_code: number; readonly output: string }

export function toToolResultBlock(result: ToolResult, toolUseId: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content: toText(result), is_error: !result.ok }
}

export function toExitCodeOutput(result: ToolResult): ExitCodeOutput {
  const code = result.meta.exitCode ?? 0
  return { exit_code: result.ok ? code : code || 1, output: toText(result) }
}

/** What a model reads: the data, or the error with its code and how to recover. */
export function toText(result: ToolResult): string {
  if (result.ok) return dataText(result.data)
  const { code, message, hints, nextAction } = result.error
  return [`${code}: ${message}`, ...hints, nextAction].join('\n')
}

/** What a model reads of a discovery step: of a call that went well only its data, else the answer as JSON. */
export function toDiscoveryText(response: object): string {
  if ('ok' in response && 'data' in response) return dataText(response.data as Json)
  return JSON.stringify('error' in response ? { error: response.error } : response)
}

function dataText(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}
