import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'

const shared = y => y.option('room', { type: 'string', default: 'hall' })

await yargs(hideBin(process.argv))
  .scriptName('kiosk')
  .option('json', { type: 'boolean', default: false, describe: 'print JSON' })
  .command(
    'open <door> [minutes]',
    'Open a door for a while',
    y => shared(y.positional('minutes', { type: 'number', default: 5 })),
    argv => console.log(argv.door, argv.minutes, argv.room),
  )
  .command({
    command: 'say <words..>',
    describe: 'Say something on the loudspeaker',
    builder: { volume: { type: 'number', demandOption: true }, voice: { choices: ['anna', 'otto'] } },
    handler: ({ words, volume, voice }) => console.log(words.join(' '), volume, voice),
  })
  .demandCommand(1)
  .parseAsync()
