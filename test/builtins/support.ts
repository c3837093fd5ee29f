import type { BuiltinName, Json, Runtime, RuntimeOptions, ToolResult } from '../../src/index.ts'
import { makeFolder, makeRuntime } from '../support/folders.ts'

/** A runtime with the built-in tools on a workspace with these files. */
export async function makeWorkspace(files: Readonly<Record<string, string>> = {}, options: RuntimeOptions = {}) {
  const workspace = makeFolder(files)
  const runtime = await makeRuntime(makeFolder(), { builtins: true, audit: false, workspace, ...options })
  return {
    workspace,
    runtime,
    run: (name: BuiltinName, args: Json) => runtime.call({ toolId: name, args }),
    text,
    error,
  }

  /** What a call gives, when it goes well; a failed test otherwise. */
  async function text(name: BuiltinName, args: Json): Promise<string> {
    return textOf(await runtime.call({ toolId: name, args }))
  }

  async function error(name: BuiltinName, args: Json) {
    return errorOf(await runtime.call({ toolId: name, args }))
  }
}

export function textOf(result: ToolResult): string {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return String(result.data)
}

export function errorOf(result: ToolResult) {
  if (result.ok) throw new Error(`no error: ${JSON.stringify(result.data)}`)
  return result.error
}

export type { Runtime }
