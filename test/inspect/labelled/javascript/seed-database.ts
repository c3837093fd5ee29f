import { createCommand } from 'commander'
import { Client } from 'pg'

const cli = createCommand('seed-database')
cli.description('Fills a database with made-up rows')
cli.option('--url <url>', 'the database', 'postgres://localhost/dev')
cli.option('--rows <n>', 'rows per table')
cli.option('-t <table>', 'only one table')
cli.option('--dry-run', 'print the statements')
cli.arguments('<schema> [seed]')
cli.parse(process.argv)

const options = cli.opts<{ url: string; rows?: string; t?: string; dryRun?: boolean }>()
const rows = parseInt(options.rows ?? '50', 10)
const [schema, seed] = cli.args
const client = new Client(options.url)
if (!options.dryRun) await client.connect()
console.log(schema, Number(seed), rows, options.t)
