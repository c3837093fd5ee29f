// A source → what it has to give, and which of it is wanted.
import { basename } from 'node:path'
import { toValidName } from '../skills/skill-name.ts'
import { nearest } from '../text/nearest.ts'
import { describeFolder, findRoot, findUnits } from './find-units.ts'
import { ImportError, quote } from './import-error.ts'
import { loadTree } from './load-tree.ts'
import { readMarketplace } from './marketplace.ts'
import type { Offer, Offers } from './offer.ts'
import { type ImportSource, sourceText } from './parse-source.ts'
import type { ImportScope } from './scope.ts'
import { readIndex } from './well-known.ts'

/** Fetches the source, or its listing, and says what it offers. Throws `NO_SKILL` when that is nothing. */
export async function findOffers(source: ImportSource, scope: ImportScope): Promise<Offers> {
  const name = sourceText(source)
  if (source.type === 'index') return nonEmpty({ offers: await readIndex(source.location, scope), listing: true }, name)

  const { folder, commit } = await loadTree(source, scope)
  const root = findRoot(folder)
  const plugins = readMarketplace(root, source, scope)
  const offers = plugins ?? (await findUnits(root, root === folder ? plainName(name) : basename(root)))
  const found = { offers, listing: plugins !== undefined, ...(commit !== undefined && { commit }) }
  return nonEmpty(found, name, plugins ? 'The marketplace lists no plugin.' : describeFolder(root))
}

export type Choice = { readonly names?: readonly string[]; readonly all?: boolean }

/** The offers that are wanted. Throws when a name is unknown, or when a listing of several leaves the choice open. */
export function choose({ offers, listing }: Offers, { names = [], all = false }: Choice): readonly Offer[] {
  const known = offers.map(offer => offer.name)
  if (names.length === 0) {
    if (!listing || all || offers.length === 1) return offers
    const message = `The source is a listing of ${offers.length}: ${shortList(known)}.`
    throw new ImportError('CHOICE_NEEDED', message, 'Write the names you want after the source, or --all.')
  }
  const wanted = [...new Set(names.map(toValidName))]
  const missing = wanted.find(name => !known.includes(name))
  if (missing !== undefined) {
    const close = nearest(missing, known)
    const hint = close.length > 0 ? `Did you mean ${close.join(', ')}?` : 'Choose one of these.'
    throw new ImportError('NAME_NOT_FOUND', `The source has no ${quote(missing)}; it has ${shortList(known)}.`, hint)
  }
  return offers.filter(offer => wanted.includes(offer.name))
}

function nonEmpty(found: Offers, name: string, has = 'Its list is empty.'): Offers {
  if (found.offers.length > 0) return found
  throw new ImportError(
    'NO_SKILL',
    `${name} has no SKILL.md. ${has}`,
    'A skill is a folder with a SKILL.md; name one that is.',
  )
}

/** `…/pdf-tools.skill` → `pdf-tools`. */
function plainName(source: string): string {
  return basename(source).replace(/\.(?:zip|skill|tar\.gz|tgz|git)$/i, '')
}

function shortList(names: readonly string[]): string {
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : ''
  return names.slice(0, MAX_SHOWN).join(', ') + more
}

const MAX_SHOWN = 20
