// /.well-known/agent-skills/index.json: a site's own list of skills, each with the digest of its bytes.
import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { toValidName } from '../skills/skill-name.ts'
import { findRoot, findUnits } from './find-units.ts'
import { ImportError, quote, reasonOf } from './import-error.ts'
import { fetchFile, unpackArchive } from './load-tree.ts'
import type { Offer } from './offer.ts'
import type { ImportScope } from './scope.ts'

type Listed = { readonly name: string; readonly type: unknown; readonly url: string; readonly digest: unknown }

/** The skills that a site offers. Throws `ImportError`. */
export async function readIndex(index: string, scope: ImportScope): Promise<Offer[]> {
  const { file } = await fetchFile(index, scope, MAX_INDEX)
  const seen = new Set<string>()
  return readEntries(file, index).flatMap(entry => {
    const name = toValidName(entry.name)
    if (seen.has(name)) return []
    seen.add(name)
    return [{ name, kind: 'skill', path: entry.url, bring: place => bring(entry, place) }]
  })

  async function bring(entry: Listed, place: string): Promise<{ commit?: string }> {
    const url = addressOf(entry, index)
    const { file, digest } = await fetchFile(url, scope)
    checkDigest(entry, digest)
    if (entry.type === 'skill-md') {
      const { size } = statSync(file)
      scope.budget.entry()
      scope.budget.bytes(size, url, size)
      mkdirSync(place)
      renameSync(file, join(place, 'SKILL.md'))
      return {}
    }
    if (entry.type !== 'archive')
      throw new ImportError('SOURCE_UNSUPPORTED', `${quote(entry.name)} is of an unknown type.`, 'Leave it out.')
    const root = findRoot((await unpackArchive(file, url, scope)).folder)
    const units = await findUnits(root, entry.name)
    if (units.length !== 1)
      throw new ImportError(
        'NO_SKILL',
        `${url} has ${units.length} skills instead of one.`,
        'Tell the owner of the site.',
      )
    return units[0]!.bring(place)
  }
}

/** A site may keep its files elsewhere, but not send us to a plain or local address that it is not at itself. */
function addressOf(entry: Listed, index: string): string {
  const url = URL.canParse(entry.url, index) ? new URL(entry.url, index) : undefined
  if (url && url.username === '' && (url.protocol === 'https:' || url.origin === new URL(index).origin)) return url.href
  throw new ImportError('SOURCE_UNSUPPORTED', `${quote(entry.name)} lies at ${quote(entry.url)}.`, 'Leave it out.')
}

function checkDigest({ name, digest }: Listed, actual: string): void {
  if (digest === actual) return
  const message =
    typeof digest === 'string'
      ? `${quote(name)} has the digest ${actual}, but the index promises ${quote(digest)}.`
      : `${quote(name)} has no digest in the index, so its bytes cannot be checked.`
  throw new ImportError('DIGEST_MISMATCH', message, 'Try again later, and tell the owner of the site.')
}

function readEntries(file: string, index: string): Listed[] {
  let why = 'it has no list of skills'
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const skills = (value as { skills?: unknown } | null)?.skills
    if (Array.isArray(skills)) return skills.filter(isListed)
  } catch (error) {
    why = reasonOf(error)
  }
  throw new ImportError('SOURCE_UNREADABLE', `${index} is not readable: ${why}.`, 'Check the address.')
}

function isListed(value: unknown): value is Listed {
  if (typeof value !== 'object' || value === null) return false
  const { name, url } = value as Partial<Record<string, unknown>>
  return typeof name === 'string' && typeof url === 'string'
}

const MAX_INDEX = 5 * 1024 * 1024
