// Starts a program in a process group of its own, inside a sandbox when it has one.
import { type ChildProcess, spawn } from 'node:child_process'
import type { UsableSandbox } from '../sandbox/sandbox-probe.ts'
import { type Wrapped, wrap } from '../sandbox/wrap.ts'
import { CALL_MARK, rememberGroup } from './process-tree.ts'
import type { RunRequest } from './run-process.ts'

export type Started = { readonly child: ChildProcess; readonly box?: Wrapped }

/** Some errors come at once (too long, a NUL, a sandbox that cannot be built), others later from the child. */
export function startProcess(
  request: RunRequest,
  sandbox: UsableSandbox | undefined,
): Started | { readonly error: NodeJS.ErrnoException } {
  let box: Wrapped | undefined
  try {
    box = sandbox && request.confinement && wrap(sandbox, { ...request, leash: true }, request.confinement)
    const { command, args } = box ?? request
    const child = spawn(command, args, {
      cwd: request.cwd,
      env: { ...request.env, ...box?.env, [CALL_MARK]: request.callId },
      detached: true,
      stdio: [
        request.stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(box ? ['pipe' as const, ...box.descriptors] : []),
      ],
      windowsHide: true,
    })
    if (child.pid !== undefined) rememberGroup(child.pid)
    const leash = child.stdio[3]
    if (leash && 'resume' in leash) leash.on('error', () => {}).resume()
    // A script that does not read its input closes the pipe: that is its right.
    child.stdin?.on('error', () => {})
    child.stdin?.end(request.stdin)
    return { child, ...(box && { box }) }
  } catch (error) {
    box?.dispose()
    return { error: error as NodeJS.ErrnoException }
  }
}
