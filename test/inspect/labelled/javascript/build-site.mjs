import { cac } from 'cac'

const cli = cac('build-site')

cli
  .command('build [root]', 'Build all pages')
  .option('--out <dir>', 'where to put them', { default: 'dist' })
  .option('--minify', 'make them small')
  .action((root, options) => console.log(root, options.out, options.minify))

cli
  .command('serve <root>', 'Serve the pages')
  .option('-p, --port <port>', 'the port', { default: 4000, type: [Number] })
  .action((root, options) => console.log(root, options.port))

cli.help()
cli.parse()
