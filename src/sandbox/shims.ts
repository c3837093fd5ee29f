// Two tiny shell scripts around bubblewrap. The outer one joins the groups of the call before anything else runs. The inner
// one sets limits inside the new user namespace, since the number of processes is counted there.

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

export function joinFirst(joins: readonly string[], command: readonly string[]): readonly string[] {
  if (joins.length === 0) return command
  const script = `${joins.map((_, index) => `echo 0 >"$${index + 1}"`).join(' && ')} && shift ${joins.length} && exec "$@"`
  return [SHELL, '-c', script, 'skillwright', ...joins, ...command]
}

/**
 * Limits that the system already keeps lower stay so. `PWD` is unset because bubblewrap sets it: the program shall see
 * the environment that it was given.
 */
export function limitFirst(
  limits: ProcessLimits,
  { keepPwd, leash }: { readonly keepPwd: boolean; readonly leash: boolean },
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
  const script = `${held}{ ${lines.join('; ')}; } 2>/dev/null; ${keepPwd ? '' : 'unset PWD OLDPWD; '}exec "$@"`
  return [SHELL, '-c', script, 'skillwright', ...command]
}
