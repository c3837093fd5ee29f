import { execFileSync } from 'node:child_process'

/** Runs git with an identity of its own, so that the machine's configuration does not matter. */
export function git(folder: string, ...args: string[]): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}

/** Makes a folder a repository and commits all of it; gives the commit. */
export function commitAll(folder: string): string {
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=x', '--allow-empty')
  return git(folder, 'rev-parse', 'HEAD')
}
