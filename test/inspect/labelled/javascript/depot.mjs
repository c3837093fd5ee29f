import { Command, InvalidArgumentError } from 'commander'

function positive(value) {
  const parsed = Number.parseInt(value, 10)
  if (Number.isNaN(parsed) || parsed < 1) throw new InvalidArgumentError('must be a positive number')
  return parsed
}

function collect(value, previous) {
  return previous.concat([value])
}

const program = new Command()
program
  .name('depot')
  .description('Keeps parcels in a depot')
  .option('-d, --data <folder>', 'where the depot lives', './depot')
  .option('-v, --verbose', 'say more', (_, level) => level + 1, 0)

program
  .command('put <name> [files...]')
  .description('Store files under a name')
  .option('-l, --label <label>', 'may be given more than once', collect, [])
  .option('--copies <n>', 'how many', positive, 1)
  .action((name, files, options) => {
    console.log(name, files, options.label, options.copies)
  })

program
  .command('get')
  .description('Take a parcel out')
  .argument('<name>')
  .option('--delete', 'remove it afterwards')
  .action((name, { delete: remove }) => console.log(name, remove))

const shelf = program.command('shelf').description('Everything about shelves')
shelf.command('add <id>').description('Put up a shelf').action(id => console.log(id))
shelf
  .command('list')
  .option('--sort [key]', 'order by a key')
  .action(options => console.log(options.sort))

await program.parseAsync(process.argv)
