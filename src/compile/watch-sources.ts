// Tells when something under the sources changes. The watcher is loaded only when somebody watches.
import type { Source } from '../types.ts'

/** What belongs together (a checkout, an editor's save) is told once. */
const QUIET_MS = 100
const IGNORED =
  /(?:^|[/\\])(?:node_modules|\.git|__pycache__|\.skillwright)(?:[/\\]|$)|\.part$|dynamic_tools(?:\.\w+)?\.json$/

/** Watches until the answer is called. Errors of the watcher are warnings: the next request looks for itself. */
export async function watchSources(sources: readonly Source[], onChange: () => void): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(
    sources.map(source => source.path),
    { ignoreInitial: true, ignored: path => IGNORED.test(path), depth: 12, followSymlinks: false },
  )
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, QUIET_MS)
  })
  watcher.on('error', error =>
    process.emitWarning(`The sources cannot be watched: ${String(error)}`, 'SkillwrightWarning'),
  )
  await new Promise<void>(resolve => watcher.on('ready', resolve))
  return async () => {
    clearTimeout(timer)
    await watcher.close()
  }
}
