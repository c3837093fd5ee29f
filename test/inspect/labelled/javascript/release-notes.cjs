#!/usr/bin/env node
const { execFileSync } = require('node:child_process')
const { program, Option } = require('commander')

program
  .name('release-notes')
  .description('Writes release notes from the commits since a tag.')
  .version('2.1.0')
  .argument('<tag>', 'the tag to start from')
  .argument('[until]', 'the last commit', 'HEAD')
  .option('-o, --output <file>', 'where to write')
  .option('-n, --limit <count>', 'how many commits at most', parseInt, 200)
  .option('--no-links', 'leave out links')
  .option('--exclude <word...>', 'words that drop a commit')
  .addOption(new Option('-s, --style <style>', 'how it looks').choices(['markdown', 'plain', 'html']).default('markdown'))
  .requiredOption('--repo <slug>', 'owner and name')
  .action((tag, until, options) => {
    const log = execFileSync('git', ['log', `${tag}..${until}`, '--oneline'], { encoding: 'utf8' })
    console.log(log.split('\n').slice(0, options.limit).join('\n'))
  })

program.parse()
