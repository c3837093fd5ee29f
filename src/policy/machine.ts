import type { SandboxProbe } from '../sandbox/sandbox-probe.ts'
import type { SandboxKind } from '../types.ts'

/** What this machine can hold a program to. */
export type Machine = {
  readonly sandbox: SandboxKind | 'none'
  readonly version?: string
  /** Why there is no sandbox, or less of one, and how to get more. */
  readonly why?: string
  readonly remedy?: string
  /** Whether programs can be cut off from the network, and whether they can be let through to single hosts. */
  readonly network: boolean
  readonly hosts: boolean
  /** Whether they can be kept from files. */
  readonly files: boolean
  /** Whether the device nodes of the system stay as they are. */
  readonly devices: boolean
  /** `each`: every process is held by the system, all of a call together by a look ten times a second. */
  readonly memory: 'total' | 'each' | 'none'
  readonly processes: boolean
  readonly fileSize: boolean
  readonly written: boolean
  readonly temp: boolean
}

/** A machine where programs have the rights of whoever calls them. */
export function withoutSandbox(why: string, remedy: string): Machine {
  return {
    sandbox: 'none',
    why,
    remedy,
    network: false,
    hosts: false,
    files: false,
    devices: false,
    memory: 'none',
    processes: false,
    fileSize: false,
    written: false,
    temp: false,
  }
}

/** What a probed sandbox can hold programs to. */
export function machineOf(probe: SandboxProbe): Machine {
  if (probe.kind === 'none') return withoutSandbox(probe.why.replace(/\.$/, ''), probe.remedy)
  const isLinux = probe.kind === 'bubblewrap'
  return {
    sandbox: probe.kind,
    ...(isLinux && { version: probe.version }),
    ...(probe.notes.length > 0 && { remedy: probe.notes.join(' ') }),
    network: true,
    // The way to the proxy needs a network namespace.
    hosts: isLinux,
    files: true,
    devices: !isLinux || probe.devices,
    memory: probe.memory,
    processes: probe.processes,
    fileSize: true,
    written: isLinux,
    temp: isLinux,
  }
}
