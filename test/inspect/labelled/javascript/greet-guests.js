const minimist = require('minimist')

const argv = minimist(process.argv.slice(2), {
  string: ['language'],
  boolean: ['loud'],
  alias: { l: 'language', n: 'times' },
  default: { language: 'en', times: 1 },
})

if (argv._.length === 0) {
  console.error('usage: greet-guests <guest...> [-l language] [-n times] [--loud]')
  process.exit(1)
}
for (const guest of argv._) {
  for (let round = 0; round < argv.times; round++) {
    const text = argv.language === 'de' ? `Hallo ${guest}` : `Hello ${guest}`
    console.log(argv.loud ? text.toUpperCase() : text)
  }
}
