// Mounts and a program → the arguments of bubblewrap.
import { inOrder, type Mount } from './mounts.ts'

export type BubblewrapOptions = {
  readonly mounts: readonly Mount[]
  readonly cwd: string
  readonly shareNetwork: boolean
  /** Descriptor of the filter of system calls, as the child sees it. */
  readonly seccomp?: number | undefined
  /** Descriptors of the files to copy, as the child sees them. */
  readonly copies: ReadonlyMap<string, number>
}

const ISOLATION = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  // Without a session of its own a program could type into the terminal of the host.
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--disable-userns'],
]

export function bubblewrapArgs({ mounts, cwd, shareNetwork, seccomp, copies }: BubblewrapOptions): readonly string[] {
  const ordered = inOrder(mounts)
  return [
    ...ISOLATION,
    ...(shareNetwork ? [] : ['--unshare-net']),
    ...ordered.flatMap(mount => toArgs(mount, copies)),
    // Not before: what is seen in a hidden folder all the same needs a place made in it.
    ...ordered.flatMap(({ at, how }) => (how === 'empty-folder' ? ['--remount-ro', at] : [])),
    ...(ordered.some(mount => isThere(mount, cwd)) ? [] : ['--dir', cwd]),
    // What bubblewrap builds the root on is a writable tmpfs of half the memory.
    ...(ordered.some(({ at, how }) => at === '/' && how === 'write') ? [] : ['--remount-ro', '/']),
    ...['--chdir', cwd],
    ...(seccomp === undefined ? [] : ['--seccomp', String(seccomp)]),
    '--',
  ]
}

function toArgs(mount: Mount, copies: ReadonlyMap<string, number>): readonly string[] {
  const { at } = mount
  switch (mount.how) {
    case 'read':
      return ['--ro-bind-try', at, at]
    case 'keep':
      return ['--ro-bind', at, at]
    case 'read-from':
      return ['--ro-bind', mount.from, at]
    case 'copy':
      return copies.has(at) ? ['--file', String(copies.get(at)), at] : []
    case 'write':
      return ['--bind-try', at, at]
    case 'empty-folder':
      return ['--size', '4096', '--tmpfs', at]
    case 'empty-file':
      return ['--ro-bind', '/dev/null', at]
    case 'temp':
      return [...(mount.size === undefined ? [] : ['--size', String(mount.size)]), '--tmpfs', at]
    case 'link':
      return ['--symlink', mount.to, at]
    case 'proc':
      return ['--proc', at]
    case 'device':
      return ['--dev-bind', mount.from, at]
    case 'dev':
      // It is a tmpfs of half the memory too.
      return ['--dev', at, '--remount-ro', at]
  }
}

const isThere = ({ at, how }: Mount, path: string): boolean =>
  (how === 'read' || how === 'write' || how === 'keep') && (path === at || at === '/' || path.startsWith(`${at}/`))
