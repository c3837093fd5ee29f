// A filter of system calls, as the program that the kernel runs before each of them. It forbids what scripts do not need and
// what would get around a limit or reach old parts of the kernel; everything else stays allowed, so that programs just work.
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { arch, tmpdir } from 'node:os'
import { join } from 'node:path'

type Architecture = {
  /** What the kernel calls it (`AUDIT_ARCH_…`). */
  readonly audit: number
  readonly numbers: Readonly<Record<string, number>>
  /** Calls from here on belong to another, rarely tested table (x32). */
  readonly foreignFrom?: number
}

/** Numbers that are the same on all newer architectures. */
const COMMON = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  memfd_secret: 447,
}

const X64: Architecture = {
  audit: 0xc000003e,
  foreignFrom: 0x40000000,
  numbers: {
    ...COMMON,
    ...{ shmget: 29, shmat: 30, shmctl: 31, semget: 64, semop: 65, semctl: 66, msgget: 68, msgsnd: 69, msgrcv: 70 },
    ...{ msgctl: 71, ptrace: 101, pivot_root: 155, chroot: 161, acct: 163, mount: 165, umount2: 166, swapon: 167 },
    ...{ swapoff: 168, reboot: 169, iopl: 172, ioperm: 173, init_module: 175, delete_module: 176, quotactl: 179 },
    ...{ semtimedop: 220, mq_open: 240, mq_unlink: 241, kexec_load: 246, add_key: 248, request_key: 249, keyctl: 250 },
    ...{ unshare: 272, perf_event_open: 298, fanotify_init: 300, name_to_handle_at: 303, open_by_handle_at: 304 },
    ...{ setns: 308, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, finit_module: 313 },
    ...{ memfd_create: 319, kexec_file_load: 320, bpf: 321, userfaultfd: 323 },
  },
}

const ARM64: Architecture = {
  audit: 0xc00000b7,
  numbers: {
    ...COMMON,
    ...{ umount2: 39, mount: 40, pivot_root: 41, chroot: 51, quotactl: 60, acct: 89, unshare: 97, kexec_load: 104 },
    ...{ init_module: 105, delete_module: 106, ptrace: 117, reboot: 142, mq_open: 180, mq_unlink: 181, msgget: 186 },
    ...{ msgctl: 187, msgrcv: 188, msgsnd: 189, semget: 190, semctl: 191, semtimedop: 192, semop: 193, shmget: 194 },
    ...{ shmctl: 195, shmat: 196, add_key: 217, request_key: 218, keyctl: 219, swapon: 224, swapoff: 225 },
    ...{ perf_event_open: 241, fanotify_init: 262, name_to_handle_at: 264, open_by_handle_at: 265, setns: 268 },
    ...{ process_vm_readv: 270, process_vm_writev: 271, kcmp: 272, finit_module: 273, memfd_create: 279, bpf: 280 },
    ...{ userfaultfd: 282, kexec_file_load: 294 },
  },
}

const ARCHITECTURES: Readonly<Record<string, Architecture>> = { x64: X64, arm64: ARM64 }

const CLONE = { x64: 56, arm64: 220 }
const SOCKET = { x64: 41, arm64: 198 }
/** UNIX, IPv4, IPv6, netlink. No namespace of the network holds what a virtual machine has to talk to the outside. */
const FAMILIES = [1, 2, 10, 16]
const CLONE3 = 435
const NEW_NAMESPACES = 0x7e020000
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

const LOAD = 0x20
const EQUAL = 0x15
const AT_LEAST = 0x35
const ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
const KILL = 0x80000000
const refuse = (code: number) => 0x00050000 | code

/** Where the kernel puts what is asked: the number of the call, the architecture, the low half of the first argument. */
const AT_NUMBER = 0
const AT_ARCHITECTURE = 4
const AT_FIRST_ARGUMENT = 16

/** The filter for an architecture as bytes; undefined when there is none for it. */
export function seccompFilter(name: string = arch()): Buffer | undefined {
  const architecture = ARCHITECTURES[name]
  if (!architecture) return undefined
  const denied = Object.values(architecture.numbers)
  const clone = CLONE[name as keyof typeof CLONE]
  return Buffer.concat([
    instruction(LOAD, AT_ARCHITECTURE),
    instruction(EQUAL, architecture.audit, 1, 0),
    instruction(RETURN, KILL),
    instruction(LOAD, AT_NUMBER),
    ...(architecture.foreignFrom === undefined
      ? []
      : [instruction(AT_LEAST, architecture.foreignFrom, 0, 1), instruction(RETURN, refuse(ENOSYS))]),
    ...denied.flatMap(number => [instruction(EQUAL, number, 0, 1), instruction(RETURN, refuse(EPERM))]),
    // Its flags are out of a filter's sight; libraries know that it may be missing and use `clone`.
    instruction(EQUAL, CLONE3, 0, 1),
    instruction(RETURN, refuse(ENOSYS)),
    instruction(EQUAL, clone, 0, 4),
    instruction(LOAD, AT_FIRST_ARGUMENT),
    instruction(ANY_BIT, NEW_NAMESPACES, 0, 1),
    instruction(RETURN, refuse(EPERM)),
    instruction(RETURN, ALLOW),
    instruction(EQUAL, SOCKET[name as keyof typeof SOCKET], 0, 2 + 2 * FAMILIES.length),
    instruction(LOAD, AT_FIRST_ARGUMENT),
    ...FAMILIES.flatMap(family => [instruction(EQUAL, family, 0, 1), instruction(RETURN, ALLOW)]),
    instruction(RETURN, refuse(EAFNOSUPPORT)),
    instruction(RETURN, ALLOW),
  ])
}

function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}

let stored: number | undefined

/** A descriptor to read the filter from, to be closed by who asked; undefined when there is none for this machine. */
export function openSeccompFilter(): number | undefined {
  if (stored === undefined) {
    const filter = seccompFilter()
    if (!filter) return undefined
    stored = store(filter)
  }
  // Opened anew each time: who shares a descriptor shares its position too.
  return openSync(`/proc/self/fd/${stored}`, 'r')
}

/** In a file that has no name any more. */
function store(bytes: Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), 'skillwright-'))
  try {
    const file = join(folder, 'filter')
    writeFileSync(file, bytes, { mode: 0o600 })
    return openSync(file, 'r')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
