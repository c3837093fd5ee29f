// What a person wrote → what kind of source it is.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkTransport } from './download.ts'
import { pathParts } from './entry-path.ts'
import { ImportError, quote } from './import-error.ts'

export type ImportSource = {
  readonly type: 'folder' | 'archive' | 'git' | 'archive-url' | 'index'
  /** The path or URL alone. */
  readonly location: string
  /** The folder inside that is wanted; `''` for all. */
  readonly subfolder: string
  /** Branch, tag or commit of a git source. */
  readonly ref?: string
}

export const INDEX_PATH = '/.well-known/agent-skills/index.json'

/** Reads `location//subfolder#ref`. Throws `ImportError` when nothing can be imported from there. */
export function parseSource(text: string): ImportSource {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw unsupported(text, 'has control characters')
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return parseUrl(text)
  if (SCP_LIKE.test(text)) return { type: 'git', ...split(text) }
  return parsePath(text)
}

/** The text that gives the same source again; what the lock file keeps, without the ref. */
export function sourceText({ location, subfolder }: ImportSource): string {
  return subfolder === '' ? location : `${location}//${subfolder}`
}

/** Whether it lies on this machine. */
export function isLocal({ type, location }: ImportSource): boolean {
  return type === 'folder' || type === 'archive' || /^(?:file:|\/|[A-Za-z]:)/.test(location)
}

function parseUrl(text: string): ImportSource {
  const parts = split(text)
  const url = URL.canParse(parts.location) ? new URL(parts.location) : undefined
  if (!url) throw unsupported(text, 'is no URL')
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:'))
    throw new ImportError(
      'SOURCE_UNSUPPORTED',
      `The URL of ${url.host} contains a user or password, which would be written into skills-lock.json.`,
      'Leave it out and let a git credential helper or an SSH key answer.',
    )
  if (url.protocol === 'ssh:' || url.protocol === 'file:') return { type: 'git', ...parts }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw unsupported(text, `has the protocol ${url.protocol}`)
  checkTransport(parts.location)
  if (/\.(?:zip|skill|tar\.gz|tgz)$/i.test(url.pathname)) return { type: 'archive-url', ...withoutRef(parts, text) }
  if (url.pathname === '/')
    return { type: 'index', ...withoutRef({ ...parts, location: url.origin + INDEX_PATH }, text) }
  if (url.pathname.endsWith(INDEX_PATH)) return { type: 'index', ...withoutRef(parts, text) }
  if (url.protocol === 'http:') throw unsupported(text, 'is a git repository without https')
  return { type: 'git', ...parts }
}

function parsePath(text: string): ImportSource {
  const parts = existsSync(text) && !text.slice(1).includes('//') ? { location: text, subfolder: '' } : split(text)
  const path = resolve(parts.location)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found)
    throw new ImportError(
      'SOURCE_NOT_FOUND',
      `There is nothing at ${quote(path)}.`,
      'Give a folder, an archive, https://…, git@host:…, or file:///path/to/repository.',
    )
  const source = { ...parts, location: realpathSync.native(path) }
  if (found.isDirectory())
    return isRepository(path) ? { type: 'git', ...source } : { type: 'folder', ...withoutRef(source, text) }
  if (found.isFile()) return { type: 'archive', ...withoutRef(source, text) }
  throw unsupported(text, 'is neither a file nor a folder')
}

type Parts = Pick<ImportSource, 'location' | 'subfolder' | 'ref'>

/** `a//b#c` → location a, subfolder b, ref c; the `//` of a URL's scheme is no separator. */
function split(text: string): Parts {
  const hash = text.lastIndexOf('#')
  const ref = hash === -1 ? undefined : text.slice(hash + 1)
  if (ref !== undefined && !isRef(ref)) throw unsupported(text, 'has no branch, tag or commit after #')
  const rest = hash === -1 ? text : text.slice(0, hash)
  const start = /^[a-z][a-z0-9+.-]*:\/\//i.exec(rest)?.[0].length ?? 1
  const slashes = rest.indexOf('//', start)
  const location = slashes === -1 ? rest : rest.slice(0, slashes)
  const subfolder = slashes === -1 ? '' : pathParts(rest.slice(slashes + 2)).join('/')
  return { location, subfolder, ...(ref !== undefined && { ref }) }
}

function withoutRef(parts: Parts, text: string): Parts {
  if (parts.ref !== undefined) throw unsupported(text, 'is no git repository, so it has no #ref')
  return parts
}

function isRepository(path: string): boolean {
  const has = (name: string) => existsSync(join(path, name))
  return has('.git') || (has('HEAD') && has('objects') && has('refs'))
}

/** Names that git can only read as a branch, tag or commit: no option, no refspec, no range. */
const isRef = (ref: string): boolean => /^[A-Za-z0-9_][\w./+-]{0,199}$/.test(ref) && !ref.includes('..')

function unsupported(text: string, why: string): ImportError {
  return new ImportError(
    'SOURCE_UNSUPPORTED',
    `${quote(text)} ${why}.`,
    'Give a folder, .zip, .skill, .tar.gz, a git repository (https://…, git@host:…, file://…), or a site with an index of skills.',
  )
}

const SCP_LIKE = /^[A-Za-z0-9_][\w.-]*@[A-Za-z0-9][\w.-]*:(?!\/\/)[^\s]/
