// What programs need of the system to run at all. Everything else of the host is simply not there.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Mount } from './mounts.ts'

/** Folders with programs and libraries; on most systems all but `/usr` are links into it. */
const PROGRAM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store']

/** What libraries look up. No `shadow`, no keys, no settings of services or of git and npm, which may hold tokens. */
const SETTINGS =
  /^(?:ld\.so\..*|ld-musl-.*|alternatives|localtime|timezone|passwd|group|nsswitch\.conf|host\.conf|hosts|hostname|resolv\.conf|gai\.conf|networks|protocols|services|ca-certificates.*|crypto-policies|mime\.types|magic.*|os-release|debian_version|fonts|locale\..*|inputrc|terminfo|perl|python\d.*|java-.*|ImageMagick-.*)$/
const SETTINGS_BELOW = ['ssl/certs', 'ssl/openssl.cnf', 'ssl/cert.pem', 'pki/tls/certs', 'pki/ca-trust']

/** What of `/proc` lets root change the host, or tells of it, although all capabilities are gone. */
const READ_ONLY_IN_PROC = ['sys', 'sysrq-trigger', 'fs', 'mtrr', 'pressure']
const HIDDEN_IN_PROC = ['kcore', 'keys', 'timer_list', 'sched_debug', 'latency_stats']

const MIB = 1024 * 1024
const SHARED_MEMORY = 64 * MIB
const HOME = 16 * MIB

let known: readonly Mount[] | undefined

/** The system's own mounts; looked up once, since a machine does not change its root under a running program. */
export function systemMounts(): readonly Mount[] {
  known ??= [
    ...PROGRAM_FOLDERS.flatMap(asOnHost),
    ...settings().flatMap(asOnHost),
    { at: '/proc', how: 'proc' },
    ...READ_ONLY_IN_PROC.flatMap(name => asOnHost(join('/proc', name))),
    ...HIDDEN_IN_PROC.map(name => join('/proc', name))
      .filter(path => lstatSync(path, { throwIfNoEntry: false }))
      .map((at): Mount => ({ at, how: 'empty-file' })),
    { at: '/dev', how: 'dev' },
    { at: '/dev/shm', how: 'temp', size: SHARED_MEMORY },
  ]
  return known
}

/** Private and empty: `/tmp`, and a home for programs that insist on one. */
export function privateMounts(home: string | undefined, tempMb: number | undefined): readonly Mount[] {
  return [
    { at: '/tmp', how: 'temp', ...(tempMb !== undefined && { size: tempMb * MIB }) },
    ...(home !== undefined && canBeEmptied(home) ? [{ at: home, how: 'temp', size: HOME } as const] : []),
  ]
}

function settings(): string[] {
  const names = readdirSync('/etc').filter(name => SETTINGS.test(name))
  return [...names, ...SETTINGS_BELOW].map(name => join('/etc', name))
}

/** A link into the system stays a link: programs read the name of the time zone from where `/etc/localtime` points. */
function asOnHost(at: string): readonly Mount[] {
  const found = lstatSync(at, { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isSymbolicLink()) return [{ at, how: 'read' }]
  const to = readlinkSync(at)
  return resolve(at, '..', to).startsWith('/usr/') ? [{ at, how: 'link', to }] : [{ at, how: 'read' }]
}

/** A home such as `/`, or one that is a folder of the system, stays what it is. */
function canBeEmptied(home: string): boolean {
  return resolve(home) === home && home !== '/' && !systemMounts().some(({ at }) => at === home)
}
