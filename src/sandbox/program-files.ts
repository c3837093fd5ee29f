// The files of a program that lies outside the system's folders: an interpreter of pyenv or nvm, a virtual environment.
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isInside } from '../files/inside.ts'

/** What an installation consists of. Named one by one, since `~/.cargo` and its like also hold passwords. */
const PARTS = ['bin', 'lib', 'lib64', 'libexec', 'share', 'pyvenv.cfg']

/** What must be readable for a program to start: its own file and the installation that it belongs to. */
export function programFiles(command: string): readonly string[] {
  const real = realPath(command)
  const files = [command, real].flatMap(file => [file, ...installationOf(file)])
  return [...new Set(files)].filter(file => !SYSTEM.some(folder => isInside(folder, file)))
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/opt', '/nix/store']

function installationOf(file: string): readonly string[] {
  if (basename(dirname(file)) !== 'bin') return []
  const prefix = dirname(dirname(file))
  // A home, `/`, or `~/.local`, which holds the keys and histories of all kinds of programs.
  if (isInside(prefix, homedir()) || basename(prefix) === '.local') return []
  return PARTS.map(part => join(prefix, part)).filter(part => existsSync(part))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
