const { Command } = require('commander')

const deploy = new Command('deploy')
  .description('Send a build to a host')
  .argument('<host>', 'where to')
  .option('--keep <n>', 'old builds to keep', Number, 3)
  .action((host, options) => console.log(host, options.keep))

const status = new Command('status').description('Ask a host').option('--json').action(() => console.log('up'))

const program = new Command()
program.name('fleet').version('1.0.0').addCommand(deploy).addCommand(status)
program.parse(process.argv)
