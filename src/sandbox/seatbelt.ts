// The sandbox of macOS. It was written from Apple's and others' published profiles and tested on its text only: it has not been
// run on a Mac by the tests of this project. It holds files and network; it has no namespaces, so processes of a call are
// found by their group, and neither their number nor their memory is held.
import type { Confinement } from './confinement.ts'
import { programFiles } from './program-files.ts'

type Program = { readonly command: string }

/** What every program needs to start. */
const BASE = `(version 1)
(deny default)
(allow process-fork)
(allow process-exec)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger"))
(allow file-read-metadata)
(allow file-read* (literal "/") (subpath "/usr") (subpath "/bin") (subpath "/sbin") (subpath "/System") (subpath "/Library/Apple") (subpath "/opt") (literal "/private/etc/localtime") (subpath "/private/etc/ssl") (literal "/private/etc/hosts") (literal "/private/etc/resolv.conf") (literal "/private/etc/passwd") (literal "/private/etc/group") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom") (subpath "/dev/fd"))
(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))`

/** The arguments of `sandbox-exec`. */
export function seatbeltArgs(program: Program, confinement: Confinement): readonly string[] {
  return ['-p', seatbeltProfile(program, confinement)]
}

/** The profile as text. Of two rules that fit the last one counts, so that what protects stands last. */
export function seatbeltProfile(program: Program, confinement: Confinement): string {
  const { read, write, hide, protect, network } = confinement
  const deeperLater = [
    ...read.map(path => ({ path, rules: [`(allow file-read* ${below(path)})`, `(deny file-write* ${below(path)})`] })),
    ...write.map(path => ({ path, rules: [`(allow file-read* file-write* ${below(path)})`] })),
    ...hide.map(path => ({ path, rules: [`(deny file-read* file-write* ${below(path)})`] })),
  ].sort((a, b) => a.path.split('/').length - b.path.split('/').length)
  return [
    BASE,
    ...programFiles(program.command).map(path => `(allow file-read* ${below(path)})`),
    ...deeperLater.flatMap(({ rules }) => rules),
    ...protect.map(path => `(deny file-write* ${below(path)})`),
    // Neither may a folder above be moved away and made anew.
    ...[...new Set(protect.flatMap(above))].map(path => `(deny file-write-unlink (literal ${quote(path)}))`),
    ...networkRules(network),
  ].join('\n')
}

function networkRules(network: Confinement['network']): readonly string[] {
  if (network === 'all') return ['(allow network*)', '(allow system-socket)']
  if (network === 'none') return ['(deny network*)']
  return ['(deny network*)', `(allow network-outbound (literal ${quote(network.proxySocket)}))`]
}

const below = (path: string): string => `(subpath ${quote(path)})`

function above(path: string): string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}

/** A string of the profile's language: a quote or a backslash in a path must not end it. */
function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
