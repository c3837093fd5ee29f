import { extname } from 'node:path'

/** A tool's name after its file: `scripts/utils/parse.py` → `utils-parse`. */
export function nameOfScript(file: string): string {
  const path = file.replace(/^scripts\//, '')
  const name = path.slice(0, path.length - extname(path).length).replace(/[^A-Za-z0-9_-]+/g, '-')
  return name.replace(/^-+|-+$/g, '') || 'script'
}

/** A name that nobody has yet: the wanted one, else with the file's extension, else with a number. */
export function uniqueName(file: string, taken: ReadonlySet<string>): string {
  const wanted = nameOfScript(file)
  if (!taken.has(wanted)) return wanted
  const extension = extname(file).slice(1)
  const named = extension ? `${wanted}-${extension}` : wanted
  for (let number = 1; ; number++) {
    const name = number === 1 ? named : `${named}-${number}`
    if (!taken.has(name)) return name
  }
}
