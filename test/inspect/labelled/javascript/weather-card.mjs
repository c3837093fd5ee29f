import meow from 'meow'

const cli = meow(
  `
  Usage
    $ weather-card <city>

  Options
    --days, -d   How many days
    --unit       Which unit
`,
  {
    importMeta: import.meta,
    flags: {
      days: { type: 'number', shortFlag: 'd', default: 3 },
      unit: { type: 'string', choices: ['celsius', 'fahrenheit'], isRequired: true },
      wind: { type: 'boolean', default: true },
    },
  },
)

const [city] = cli.input
if (!city) cli.showHelp()
console.log(city, cli.flags.days, cli.flags.unit, cli.flags.wind)
