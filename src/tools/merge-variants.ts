import { extname } from 'node:path'

const PLATFORM_EXTENSIONS = new Set(['', '.sh', '.bash', '.cmd', '.bat', '.ps1'])
const WINDOWS_WRAPPERS = new Set(['.cmd', '.bat'])
const ORDER = ['.sh', '.bash', '', '.cjs', '.mjs', '.js', '.py', '.ts', '.rb', '.pl', '.ps1', '.cmd', '.bat']
const ORDER_ON_WINDOWS = ['.ps1', '.cmd', '.bat', ...ORDER]

/**
 * Groups the files that are one script written for several platforms (`x.sh`, `x.cmd`, `x.ps1`), the one to run here
 * first. A Windows wrapper draws in every language (`x.sh` + `x.cmd` + `x.cjs`); without one, `x.sh` and `x.py` are two.
 */
export function groupVariants(files: readonly string[], platform = process.platform): string[][] {
  const byStem = new Map<string, string[]>()
  for (const file of files) byStem.set(stem(file), [...(byStem.get(stem(file)) ?? []), file])
  return [...byStem.values()].flatMap(group => {
    const wrapped = group.some(file => WINDOWS_WRAPPERS.has(extension(file)))
    const isVariant = (file: string) => wrapped || PLATFORM_EXTENSIONS.has(extension(file))
    const variants = group.filter(isVariant)
    const others = group.filter(file => !isVariant(file)).map(file => [file])
    return variants.length > 0 ? [variants.sort(byPlatform(platform)), ...others] : others
  })
}

const extension = (file: string): string => extname(file).toLowerCase()
const stem = (file: string): string => file.slice(0, file.length - extname(file).length)

function byPlatform(platform: NodeJS.Platform): (a: string, b: string) => number {
  const order = platform === 'win32' ? ORDER_ON_WINDOWS : ORDER
  return (a, b) => order.indexOf(extension(a)) - order.indexOf(extension(b))
}
