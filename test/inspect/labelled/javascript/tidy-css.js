#!/usr/bin/env node
const yargs = require('yargs/yargs')
const { hideBin } = require('yargs/helpers')

const argv = yargs(hideBin(process.argv))
  .usage('Usage: $0 [options]')
  .option('input', { alias: 'i', type: 'string', demandOption: true, describe: 'the style sheet' })
  .option('indent', { type: 'number', default: 2, describe: 'spaces per level' })
  .option('order', { choices: ['alpha', 'grouped'], default: 'alpha' })
  .option('keep', { type: 'array', string: true, describe: 'selectors that stay' })
  .option('q', { alias: 'quiet', type: 'boolean' })
  .count('debug')
  .strict()
  .help().argv

console.log(argv.input, argv.indent, argv.order, argv.keep, argv.quiet, argv.debug)
