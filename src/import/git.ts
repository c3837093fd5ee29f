// A git repository as entries, through the git program. Objects are fetched into a bare repository of our own and read
// from there: no checkout, so no hook, filter, submodule or configuration of the other side ever takes effect.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runProcess } from '../process/run-process.ts'
import { type ImportLimits, mebibytes, tooLarge } from './budget.ts'
import type { Entry } from './entry.ts'
import { checkCancelled, ImportError, quote } from './import-error.ts'
import { type ImportSource, isLocal } from './parse-source.ts'
import { readTar } from './read-tar.ts'

export type GitScope = {
  readonly limits: ImportLimits
  readonly signal: AbortSignal
  readonly env: NodeJS.ProcessEnv
  readonly onProgress: (bytes: number) => void
}

export type Checkout = { readonly commit: string; readonly entries: AsyncIterable<Entry> }

/** Fetches one commit into `repository`, which must not exist, and reads its tree. Throws `ImportError`. */
export async function fetchGit(source: ImportSource, repository: string, scope: GitScope): Promise<Checkout> {
  const { location, subfolder, ref = 'HEAD' } = source
  const name = ref === 'HEAD' ? location : `${location}#${ref}`
  mkdirSync(repository)
  await git(['init', '--quiet', '--bare', '--template=', '.'], name, { repository, scope })

  const size = watchSize(repository, scope)
  try {
    const fetch = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--no-write-commit-graph']
    const protocols = isLocal(source) ? 'file' : 'https:ssh'
    const signal = AbortSignal.any([scope.signal, size.exceeded])
    await git([...fetch, '--', location, ref], name, {
      repository,
      scope: { ...scope, signal },
      env: { GIT_ALLOW_PROTOCOL: protocols },
    })
  } catch (error) {
    if (size.exceeded.aborted)
      throw tooLarge(`${name} has more than ${mebibytes(mostGitBytes(scope.limits))} in its last commit.`)
    throw error
  } finally {
    size.stop()
  }
  const commit = (await git(['rev-parse', 'FETCH_HEAD^{commit}'], name, { repository, scope })).trim()
  if (subfolder !== '') await checkSubfolder(commit, subfolder, name, { repository, scope })
  return { commit, entries: readCommit(`${commit}:${subfolder}`, name, { repository, scope }) }
}

type Place = {
  readonly repository: string
  readonly scope: GitScope
  readonly env?: Readonly<Record<string, string>>
}

/** Streams the tree, so that a blob of zeros ends at the limit and not on the disk. */
async function* readCommit(tree: string, name: string, { repository, scope }: Place): AsyncGenerator<Entry> {
  // The user's own filters (git-lfs …) must not run on foreign content either.
  const env = {
    ...environment(repository, scope.env),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
  }
  const child = spawn('git', [...SAFE, 'archive', '--format=tar', tree], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = new Promise<number | null>(resolve => child.on('error', () => resolve(null)).on('close', resolve))
  try {
    yield* readTar(child.stdout, name, scope.limits)
    // An archive that ends between two files looks whole.
    if ((await exit) !== 0) throw new ImportError('GIT_FAILED', `git could not read ${name} to its end.`, 'Try again.')
  } finally {
    child.kill('SIGKILL')
  }
}

/** Without this, `git archive` only says that it is no tree. */
async function checkSubfolder(commit: string, subfolder: string, name: string, place: Place): Promise<void> {
  const found = await git(['ls-tree', '-d', '--full-tree', commit, '--', subfolder], name, place)
  if (found !== '') return
  const hint = 'Write the path of a folder in the repository after //.'
  throw new ImportError('SOURCE_NOT_FOUND', `${name} has no folder ${quote(subfolder)}.`, hint)
}

async function git(args: readonly string[], name: string, { repository, scope, env }: Place): Promise<string> {
  const { end, stdout, stderr } = await runProcess({
    command: 'git',
    args: [...SAFE, ...args],
    cwd: repository,
    env: { ...environment(repository, scope.env), ...env },
    timeoutMs: TIMEOUT_MS,
    signal: scope.signal,
    callId: randomUUID(),
    stdout: { keep: KEEP_BYTES },
    stderr: { keep: KEEP_BYTES },
  })
  if (end.how === 'exited' && end.code === 0) return stdout.text
  if (end.how === 'cancelled') checkCancelled(scope.signal)
  if (end.how === 'not-started')
    throw new ImportError('GIT_FAILED', `git cannot be started (${end.code}).`, 'Install git, or import an archive.')
  if (end.how === 'timeout')
    throw new ImportError('GIT_FAILED', `${name} did not arrive in ${TIMEOUT_MS / 60_000} minutes.`, 'Try again later.')
  const said = stderr.text
    .replace(/[^\x20-\x7e\n]/g, '?')
    .trim()
    .split('\n')
    .slice(-4)
    .join(' ')
  throw new ImportError('GIT_FAILED', `git could not fetch ${name}: ${said}`, hintFor(said))
}

function hintFor(said: string): string {
  if (/couldn't find remote ref HEAD/.test(said)) return 'The repository has no commit yet: commit first.'
  if (/couldn't find remote ref|not our ref/.test(said))
    return 'Write an existing branch or tag after #, or all 40 digits of a commit.'
  if (/could not read Username|Authentication|Permission denied/.test(said))
    return 'Check the address; for a private repository set up a git credential helper or an SSH key.'
  if (/dubious ownership/.test(said))
    return 'The repository belongs to another user: copy it, or ask them for an archive.'
  return 'Check the address, then try again.'
}

/** Nobody is asked for a password, no hook runs, nothing of a surrounding repository is inherited. */
function environment(repository: string, host: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(host).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && (!pair[0].startsWith('GIT_') || KEPT.has(pair[0])),
  )
  return {
    ...Object.fromEntries(kept),
    // Said outright: a user can forbid git to recognise bare repositories by itself.
    GIT_DIR: repository,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
  }
}

/** How the user reaches servers. */
const KEPT = new Set(['GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'GIT_PROXY_COMMAND'])
const SAFE = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
  '-c',
  'core.fsmonitor=false',
]
const TIMEOUT_MS = 300_000
const KEEP_BYTES = 64 * 1024

/** Objects are compressed, but a commit that needs twice of what may be imported will not fit. */
const mostGitBytes = (limits: ImportLimits): number => limits.totalBytes * 2

/** Looks now and then how much has arrived: git itself knows no limit. */
function watchSize(folder: string, scope: GitScope): { readonly exceeded: AbortSignal; stop(): void } {
  const exceeded = new AbortController()
  const timer = setInterval(() => {
    const bytes = sizeOf(folder)
    scope.onProgress(bytes)
    if (bytes > mostGitBytes(scope.limits)) exceeded.abort()
  }, 200)
  return { exceeded: exceeded.signal, stop: () => clearInterval(timer) }
}

function sizeOf(folder: string): number {
  let bytes = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    bytes += lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  return bytes
}
