// What programs need of the system to run at all. Everything else of the host is simply not there.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Mount } from './mounts.ts'

/** Folders with programs and libraries; on most systems all but `/usr` are links into it. */
const PROGRAM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store']

/** What libraries look up. No `shadow`, no keys, no settings of services or of git and npm, which may hold tokens. */
const SETTINGS_FOLDERS = /^(?:alternatives|fonts|java-.*|ImageMagick-.*|crypto-policies)$/
const SETTINGS_BELOW = ['ssl/certs', 'pki/tls/certs', 'pki/ca-trust']
const SETTINGS_FILES = [
  ...['ld.so.cache', 'localtime', 'timezone', 'passwd', 'group', 'nsswitch.conf', 'hosts', 'host.conf', 'resolv.conf'],
  ...['services', 'protocols', 'mime.types', 'os-release', 'ssl/openssl.cnf', 'ssl/cert.pem'],
]

const MIB = 1024 * 1024
const SHARED_MEMORY = 64 * MIB
const HOME = 16 * MIB

let known: readonly Mount[] | undefined

/** The system's own mounts; looked up once, since a machine does not change its root under a running program. */
export function systemMounts(): readonly Mount[] {
  known ??= [
    ...PROGRAM_FOLDERS.flatMap(asOnHost),
    ...[...readdirSync('/etc').filter(name => SETTINGS_FOLDERS.test(name)), ...SETTINGS_BELOW].flatMap(inEtc),
    ...SETTINGS_FILES.flatMap(inEtc).map(mount =>
      mount.how === 'read' ? ({ ...mount, how: 'copy' } as const) : mount,
    ),
    { at: '/proc', how: 'proc' },
    // As root it could be written, although all capabilities are gone.
    { at: '/proc/sys', how: 'keep' },
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

const inEtc = (name: string): readonly Mount[] => asOnHost(join('/etc', name))

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
