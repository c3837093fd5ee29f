// A program and its confinement → the command line that runs it inside.
import { closeSync, existsSync, openSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isInside } from '../files/inside.ts'
import { bubblewrapArgs } from './bubblewrap.ts'
import { type CallGroup, createCallGroup } from './cgroup.ts'
import type { Confinement } from './confinement.ts'
import { deviceMounts } from './device-nodes.ts'
import { hostSockets } from './host-sockets.ts'
import { confinedMounts, type Mount } from './mounts.ts'
import { holdPlaces } from './placeholders.ts'
import { programFiles } from './program-files.ts'
import type { UsableSandbox } from './sandbox-probe.ts'
import { seatbeltArgs } from './seatbelt.ts'
import { openSeccompFilter } from './seccomp.ts'
import { LEASH, limitFirst } from './shims.ts'
import { privateMounts, systemMounts } from './system-mounts.ts'

export type ConfinedProgram = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** How long it may run; one process gets no more processor time than that on every core. */
  readonly timeoutMs?: number
  /** Whether 3 is a pipe to the host, that proves that the host still lives; `descriptors` then begin at 4. */
  readonly leash?: boolean
}

export type Wrapped = {
  readonly command: string
  readonly args: readonly string[]
  /** To be open in the child from 3 on, or from 4 on after a leash. They may be closed, by `dispose`, once the child is started. */
  readonly descriptors: readonly number[]
  /** Changes of the environment inside. */
  readonly env: Readonly<Record<string, string>>
  /** How many processes the kernel has killed so far because together they needed too much memory. */
  memoryKills(): number
  /** Gives back what was held for the run; to be called when it is over, whatever became of it. */
  dispose(): void
}

/** Where the socket of the network proxy is found inside. */
export const PROXY_SOCKET_INSIDE = '/run/skillwright/proxy.sock'

/** Bubblewrap's own processes inside: its first process, and the one outside that waits for it. */
const OWN_PROCESSES = 2

/** Throws when the sandbox cannot be built as asked; nothing is held then. */
export function wrap(probe: UsableSandbox, program: ConfinedProgram, confinement: Confinement): Wrapped {
  if (probe.kind === 'seatbelt') return wrapSeatbelt(probe.path, program, confinement)
  const { limits, network } = confinement
  const { mounts, missing } = confinedMounts(confinement)
  const held: (() => void)[] = []
  try {
    held.push(holdPlaces(missing))
    const group = createGroup(probe, confinement)
    if (group) held.push(group.remove)
    const descriptors = openDescriptors(program.leash ? LEASH + 1 : LEASH, group?.joins ?? [])
    held.push(() => descriptors.open.map(descriptor => closeSync(descriptor)))
    const box = bubblewrapArgs({
      mounts: [
        ...[...systemMounts(), ...privateMounts(program.env['HOME'], limits.tempMb)].filter(
          mount => !isMade(mount) || !shows(confinement, mount.at),
        ),
        ...deviceMounts(),
        ...programFiles(program.command).map((at): Mount => ({ at, how: 'read' })),
        ...mounts,
        ...hostSockets(confinement).map((at): Mount => ({ at, how: 'empty-file' })),
        ...proxyMount(network),
      ],
      cwd: program.cwd,
      shareNetwork: network === 'all',
      seccomp: descriptors.seccomp,
      copies: descriptors.copies,
    })
    const byUser = probe.processes && probe.cgroup?.pids == null && limits.processes !== undefined
    const inner = limitFirst(
      {
        memoryMb: limits.memoryMb,
        fileMb: limits.fileMb,
        processes: byUser ? limits.processes! + OWN_PROCESSES : undefined,
        cpuSec: program.timeoutMs === undefined ? undefined : processorSeconds(program.timeoutMs),
      },
      { keepPwd: 'PWD' in program.env, leash: program.leash === true, groups: descriptors.groups },
      [program.command, ...program.args],
    )
    return {
      command: probe.path,
      args: [...box, ...inner],
      descriptors: descriptors.open,
      // The host's own folder for temporary files is not there.
      env: 'TMPDIR' in program.env ? { TMPDIR: '/tmp' } : {},
      memoryKills: () => group?.memoryKills() ?? 0,
      dispose: () => release(held),
    }
  } catch (error) {
    release(held)
    throw error
  }
}

/** Bubblewrap makes it where it is to be: in a folder of the host that would be done to the host's own file. */
const isMade = ({ at, how }: Mount): boolean => how === 'copy' || how === 'link' || (how === 'temp' && !existsSync(at))

const shows = ({ read, write }: Confinement, path: string): boolean =>
  [...read, ...write].some(place => isInside(place, path))

/** What the shell inside writes to, and what bubblewrap reads while it starts. */
function openDescriptors(first: number, joins: readonly string[]) {
  const open: number[] = []
  const add = (descriptor: number): number => open.push(descriptor) - 1 + first
  const groups = joins.map(file => add(openSync(file, 'w')))
  const filter = openSeccompFilter()
  const seccomp = filter === undefined ? undefined : add(filter)
  const copies = new Map<string, number>()
  for (const { at, how } of systemMounts()) {
    if (how !== 'copy') continue
    try {
      copies.set(at, add(openSync(at, 'r')))
    } catch {
      // Gone, or not for us to read: programs inside do without, as they would outside.
    }
  }
  return { open, groups, seccomp, copies }
}

function release(held: (() => void)[]): void {
  for (const give of held.splice(0)) give()
}

function createGroup(
  { cgroup }: Extract<UsableSandbox, { kind: 'bubblewrap' }>,
  { limits: { processes, memoryMb } }: Confinement,
): CallGroup | undefined {
  if (!cgroup || (processes === undefined && memoryMb === undefined)) return undefined
  return createCallGroup(cgroup, {
    ...(processes !== undefined && { processes }),
    ...(memoryMb !== undefined && { memoryMb }),
  })
}

function proxyMount(network: Confinement['network']): readonly Mount[] {
  return typeof network === 'string' ? [] : [{ at: PROXY_SOCKET_INSIDE, how: 'read-from', from: network.proxySocket }]
}

const CORES = availableParallelism()

const processorSeconds = (timeoutMs: number): number => Math.ceil(timeoutMs / 1000) * CORES + 1

function wrapSeatbelt(path: string, program: ConfinedProgram, confinement: Confinement): Wrapped {
  const inner = limitFirst({ fileMb: confinement.limits.fileMb }, { keepPwd: true, leash: false }, [
    program.command,
    ...program.args,
  ])
  return {
    command: path,
    args: [...seatbeltArgs(program, confinement), ...inner],
    descriptors: [],
    env: {},
    memoryKills: () => 0,
    dispose: () => {},
  }
}
