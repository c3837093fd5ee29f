import arg from 'arg'

const args = arg({
  '--out': String,
  '--level': Number,
  '--include': [String],
  '--watch': Boolean,
  '-v': arg.COUNT,
  '-o': '--out',
})

const level = args['--level'] ?? 6
if (!args['--out']) {
  console.error('--out is missing')
  process.exit(1)
}
console.log(args['--out'], level, args['--include'], args['--watch'], args['-v'], args._[0])
