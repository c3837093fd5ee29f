import type { Cgroups } from './cgroup.ts'

/** What this machine can enforce, as plain data. `notes` says in sentences what is not held, and how it could be. */
export type SandboxProbe =
  | {
      readonly kind: 'bubblewrap'
      readonly path: string
      readonly version: string
      readonly cgroup: Cgroups | null
      /** Whether the number of processes of a call can be held. */
      readonly processes: boolean
      /** Whether the kernel holds the memory of all processes together, or of each alone while a watchdog adds them up. */
      readonly memory: 'total' | 'each'
      /** Whether dangerous system calls are refused. */
      readonly syscalls: boolean
      /** Whether the device nodes of the host stay as they are. */
      readonly devices: boolean
      readonly notes: readonly string[]
    }
  | {
      readonly kind: 'seatbelt'
      readonly path: string
      readonly processes: false
      readonly memory: 'none'
      readonly notes: readonly string[]
    }
  | { readonly kind: 'none'; readonly why: string; readonly remedy: string }

/** A sandbox that can be used. */
export type UsableSandbox = Exclude<SandboxProbe, { kind: 'none' }>
