// A tiny shell script that runs first inside the sandbox: it proves that the host lives, joins the groups of the call, and sets
// limits inside the new user namespace, since the number of processes is counted there.

export type ProcessLimits = {
  readonly memoryMb?: number | undefined
  readonly fileMb?: number | undefined
  /** Absent where a group holds the number of processes. */
  readonly processes?: number | undefined
  /** Processor time of one process, in seconds. */
  readonly cpuSec?: number | undefined
}

const SHELL = '/bin/sh'
/** What Node 24 reserves for its code without using it; the limit itself is held by the group, or by the look at all processes. */
const RESERVED_MB = 1024

/**
 * The descriptor of a pipe to the host. Bubblewrap dies with its parent, but not when the parent has died before bubblewrap was
 * ready to notice. By the time of the inner script it is ready; so writing a line then tells whether the host still lives.
 */
export const LEASH = 3

/**
 * `groups` are descriptors of the files by which a process joins its groups: what the host opened may be written from inside,
 * and one thread that moves itself moves at once. They are closed before the program begins; shells know single digits only.
 *
 * Limits that the system already keeps lower stay so. `PWD` is unset because bubblewrap sets it: the program shall see
 * the environment that it was given.
 */
export function limitFirst(
  limits: ProcessLimits,
  {
    keepPwd,
    leash,
    groups = [],
  }: { readonly keepPwd: boolean; readonly leash: boolean; readonly groups?: readonly number[] },
  command: readonly string[],
): readonly string[] {
  const lines = [
    'ulimit -c 0',
    ...(limits.memoryMb === undefined ? [] : [`ulimit -d ${(limits.memoryMb + RESERVED_MB) * 1024}`]),
    // In blocks of 512 bytes, as POSIX has it.
    ...(limits.fileMb === undefined ? [] : [`ulimit -f ${limits.fileMb * 2048}`]),
    ...(limits.cpuSec === undefined ? [] : [`ulimit -t ${limits.cpuSec}`]),
    // `-u` in bash and zsh, `-p` in dash and busybox.
    ...(limits.processes === undefined ? [] : [`ulimit -u ${limits.processes} || ulimit -p ${limits.processes}`]),
  ]
  const held = leash ? `echo >&${LEASH} || exit 125; exec ${LEASH}>&-; ` : ''
  const joined = groups.map(group => `echo 0 >&${group} || exit 125; exec ${group}>&-; `).join('')
  const script = `${held}${joined}{ ${lines.join('; ')}; } 2>/dev/null; ${keepPwd ? '' : 'unset PWD OLDPWD; '}exec "$@"`
  return [SHELL, '-c', script, 'skillwright', ...command]
}
