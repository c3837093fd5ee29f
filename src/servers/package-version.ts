import { createRequire } from 'node:module'

/** By the package's own name, so that it is found from wherever the code was built to. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('skillwright/package.json') as { version: string }
  return version
}
