// node scripts/bundle-cli.mjs <folder>: makes few files of what the command line loads. Node takes most of a millisecond for each
// module, and there are 450 of them: one by one they take longer than most commands run. Libraries stay where npm puts them.
import { renameSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const target = resolve(process.argv[2])
const commands = join(target, 'cli')
const made = join(target, 'cli-bundled')

const bundle = await rolldown({
  input: join(commands, 'main.js'),
  platform: 'node',
  external: name => !/^[./]/.test(name),
  plugins: [{ name: 'keep-places', transform: { handler: keepPlaces } }],
})
await bundle.write({ dir: made, format: 'esm', comments: false })
await bundle.close()
rmSync(commands, { recursive: true })
renameSync(made, commands)

/** Programs in other languages stay beside the modules that start them, so a module must still know where it was. */
function keepPlaces(code, file) {
  if (!code.includes('import.meta.url')) return undefined
  const place = relative(commands, file)
  return { code: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`), map: null }
}
