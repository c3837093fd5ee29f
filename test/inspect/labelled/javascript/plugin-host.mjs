import { readdirSync } from 'node:fs'
import { program } from 'commander'

program.option('--home <folder>', 'where plug-ins live', 'plugins')
for (const file of readdirSync('plugins')) {
  const plugin = await import(`./plugins/${file}`)
  plugin.register(program)
}
program.parse()
