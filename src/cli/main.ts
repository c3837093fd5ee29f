#!/usr/bin/env node
// The command line: reads options, makes a runtime, runs one command, sets the exit code.
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import { ImportError } from '../import/import-error.ts'
import type { Runtime, RuntimeOptions } from '../runtime.ts'
import type { CallOptions } from './call.ts'
import type { CompileCommandOptions } from './compile.ts'
import type { CallerOptions, CommonOptions, PlacedOptions } from './config.ts'
import { EXAMPLES } from './examples.ts'
import type { ImportCommandOptions } from './import.ts'
import type { LsOptions } from './ls.ts'
import type { McpCommandOptions } from './mcp.ts'
import { complain, red } from './output.ts'
import type { PolicyCommandOptions } from './policy.ts'
import type { ConfigCommandOptions } from './print-config.ts'
import type { TargetCommandOptions } from './remove.ts'
import type { SearchOptions } from './search.ts'
import type { ServeCommandOptions } from './serve.ts'
import type { TrustCommandOptions } from './trust.ts'
import type { UpdateCommandOptions } from './update.ts'
import { UsageError } from './usage-error.ts'

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interrupted.abort())

await main()

async function main(): Promise<void> {
  const program = new Command('skillwright')
    .description('Turns folders of skills into tools that language models can find and call.')
    .version(version())
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText('after', EXAMPLES.main)

  asCaller(program.command('list'))
    .description('every skill and its tools')
    .addHelpText('after', EXAMPLES.list)
    .action((options: CallerOptions) =>
      run(options, async runtime => (await import('./list.ts')).list(runtime, options)),
    )
  asCaller(program.command('show <tool>'))
    .description('what a tool is and takes')
    .addHelpText('after', EXAMPLES.show)
    .action((id: string, options: CallerOptions) =>
      run(options, async runtime => (await import('./show.ts')).show(runtime, options, id)),
    )
  traced(program.command('call <tool> [arguments...]'))
    .description('call a tool; arguments after -- are the script’s own command line')
    .option('--args <json>', 'arguments as JSON, @file, or - for stdin')
    .addOption(new Option('--timeout <seconds>', 'time limit of the call').env('SKILLWRIGHT_TIMEOUT'))
    .option('--yes', 'approve the call, also of a destructive tool or a changed skill', false)
    .option('--stream', 'show output and progress on stderr while it runs, also in a pipe', false)
    .addHelpText('after', EXAMPLES.call)
    .action(async (id: string, commandLine: string[], options: CallOptions) =>
      run(
        options,
        async runtime =>
          (await import('./call.ts')).call(runtime, options, { id, commandLine, signal: interrupted.signal }),
        await withApproval(options),
      ),
    )
  traced(paged(program.command('ls [path]')))
    .description('categories and tools at a path of the catalogue')
    .option('--tag <tag>', 'only what has this tag; repeatable, one of them will do', collect, [])
    .option('--query <words>', 'only what fits this need, anywhere below the path')
    .addHelpText('after', EXAMPLES.ls)
    .action((path: string | undefined, options: LsOptions) =>
      run(options, async runtime => (await import('./ls.ts')).ls(runtime, options, path)),
    )
  traced(paged(program.command('search <query...>')))
    .description('the tools that fit a need')
    .option('--in <path>', 'only in this category')
    .option('--nodes', 'categories instead of tools', false)
    .addHelpText('after', EXAMPLES.search)
    .action((query: string[], options: SearchOptions) =>
      run(options, async runtime => (await import('./search.ts')).search(runtime, options, query.join(' '))),
    )
  traced(program.command('expand <tool>'))
    .description('the schema of a tool, as a model gets it')
    .addHelpText('after', EXAMPLES.expand)
    .action((id: string, options: CallerOptions) =>
      run(options, async runtime => (await import('./expand.ts')).expand(runtime, options, id)),
    )
  common(program.command('audit'))
    .description('how tools were found and called, and how often')
    .option('--trace <id>', 'only this trace; the beginning of its id will do')
    .addHelpText('after', EXAMPLES.audit)
    .action((options: CommonOptions & { trace?: string }) =>
      finish(async () => (await import('./audit.ts')).audit(options)),
    )
  asCaller(program.command('skill <name> [arguments...]'))
    .description('print the instructions of a skill, filled in')
    .addHelpText('after', EXAMPLES.skill)
    .action((name: string, words: string[], options: CallerOptions) =>
      run(options, async runtime => (await import('./skill.ts')).skill(runtime, options, name, words)),
    )
  common(program.command('doctor [folder]'))
    .description('what is wrong with skills, where, and how to mend it')
    .addHelpText('after', EXAMPLES.doctor)
    .action((folder: string | undefined, options: CommonOptions) => {
      const only = onlyFolder(folder, options)
      return run(only, async runtime => (await import('./doctor.ts')).doctor(runtime, only))
    })

  asCaller(program.command('policy [name]'))
    .description('what the policies say, or which one holds for a tool')
    .option('--tool <tool>', 'the policy of this tool, why, and what of it is enforced here')
    .addHelpText('after', EXAMPLES.policy)
    .action((name: string | undefined, options: PolicyCommandOptions) =>
      run(options, async runtime => (await import('./policy.ts')).policy(runtime, options, name)),
    )
  asCaller(program.command('review <skill>'))
    .description('what a skill, or all in a folder or archive, can do before it may')
    .addHelpText('after', EXAMPLES.review)
    .action((subject: string, options: CallerOptions) =>
      finish(async () => (await import('./review.ts')).review(options, subject)),
    )
  placed(program.command('trust <skills...>'))
    .description('approve skills as they are now, and grant what is named')
    .option('--policy <name>', 'let them run under this policy')
    .option('--network <host>', 'a host[:port] that they may reach; repeatable', collect, [])
    .option('--env <name>', 'an environment variable that they get when they declare it; repeatable', collect, [])
    .option('--write <path>', 'what their scripts may write: skill, workspace, or a path; repeatable', collect, [])
    .addHelpText('after', EXAMPLES.trust)
    .action((names: string[], options: TrustCommandOptions) =>
      run(withoutGrants(options), async runtime => (await import('./trust.ts')).trust(runtime, options, names)),
    )
  placed(program.command('untrust <skills...>'))
    .description('take back what was approved and granted')
    .addHelpText('after', EXAMPLES.untrust)
    .action((names: string[], options: PlacedOptions) =>
      run(withoutGrants(options), async runtime => (await import('./trust.ts')).untrust(runtime, options, names)),
    )
  common(program.command('compile [folder]'))
    .description('write the tools, lock and report of every skill beside it')
    .option('--watch', 'go on, and write again what changes', false)
    .addHelpText('after', EXAMPLES.compile)
    .action((folder: string | undefined, options: CompileCommandOptions) => {
      const only = onlyFolder(folder, options)
      return run(only, async runtime => (await import('./compile.ts')).compile(runtime, only, interrupted.signal), {
        watch: options.watch,
      })
    })
  program
    .command('validate <manifest>')
    .description('check a tool-manifest.yaml, a scripts/manifest.yml or the tools of a SKILL.md')
    .addOption(new Option('--json', 'machine output on stdout').default(isSet('SKILLWRIGHT_JSON')))
    .addOption(new Option('--quiet', 'errors only').default(isSet('SKILLWRIGHT_QUIET')))
    .addHelpText('after', EXAMPLES.validate)
    .action((path: string, options: Pick<CommonOptions, 'json' | 'quiet'>) =>
      finish(async () => (await import('./validate.ts')).validate(path, options)),
    )

  asMcp(program.command('mcp'))
    .description('serve one MCP client over stdin and stdout')
    .addHelpText('after', EXAMPLES.mcp)
    .action((options: McpCommandOptions) =>
      run(options, async runtime => (await import('./mcp.ts')).mcp(runtime, options, interrupted.signal), {
        watch: true,
      }),
    )
  asMcp(program.command('serve'))
    .description('serve REST, MCP over HTTP and gRPC')
    .addOption(new Option('--host <address>', 'where to listen; default 127.0.0.1').env('SKILLWRIGHT_HOST'))
    .addOption(new Option('--port <number>', 'of REST and MCP; 0: any; default 4747').env('SKILLWRIGHT_PORT'))
    .addOption(new Option('--grpc-port <number>', 'default: the next one').env('SKILLWRIGHT_GRPC_PORT'))
    .option('--no-grpc', 'leave gRPC out')
    .option('--tls-cert <file>', 'certificate, for HTTP and gRPC')
    .option('--tls-key <file>', 'its key')
    .option('--into <folder>', 'the folder that imports go to')
    .option('--grace <seconds>', 'time for running calls at the end', '10')
    .addHelpText('after', EXAMPLES.serve)
    .action(async (options: ServeCommandOptions) => {
      await run(
        options,
        async runtime => (await import('./serve.ts')).serveCommand(runtime, options, interrupted.signal),
        { watch: true },
      )
      // A signal is how it is meant to end.
      process.exitCode = 0
    })
  asMcp(program.command('config [client]'))
    .description('what to write into the settings of an MCP client; of all known ones without a name')
    .option('--http <url>', 'for a server that runs already, such as that of `skillwright serve`')
    .addHelpText('after', EXAMPLES.config)
    .action((client: string | undefined, options: ConfigCommandOptions) =>
      finish(async () => (await import('./print-config.ts')).printConfig(client, options)),
    )

  target(program.command('import <source> [names...]'))
    .description('import skills; all of a source, or only those named')
    .option('--all', 'everything that a marketplace or a site lists', false)
    .option('--force', 'replace folders too that were edited or never imported', false)
    .addHelpText('after', EXAMPLES.import)
    .action((source: string, names: string[], options: ImportCommandOptions) =>
      finish(async () =>
        (await import('./import.ts')).importCommand(options, { source, names, signal: interrupted.signal }),
      ),
    )
  target(program.command('update [names...]'))
    .description('fetch imported skills again and replace those that changed')
    .option('--force', 'give up changes that were made here', false)
    .addHelpText('after', EXAMPLES.update)
    .action((names: string[], options: UpdateCommandOptions) =>
      finish(async () => (await import('./update.ts')).update(options, { names, signal: interrupted.signal })),
    )
  target(program.command('remove <names...>'))
    .description('remove imported skills')
    .addHelpText('after', EXAMPLES.remove)
    .action((names: string[], options: TargetCommandOptions) =>
      finish(async () => (await import('./remove.ts')).remove(options, { names, signal: interrupted.signal })),
    )

  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = await explain(error)
  }
}

/** A folder that is named is all that counts. */
function onlyFolder<Options extends CommonOptions>(folder: string | undefined, options: Options): Options {
  return folder === undefined ? options : { ...options, source: [...options.source, folder], defaultSources: false }
}

/** What a command needs is loaded when it is given: loading everything takes longer than most commands. */
async function run(
  options: CommonOptions,
  command: (runtime: Runtime) => Promise<number>,
  more: RuntimeOptions = {},
): Promise<void> {
  const { runtimeOptions } = await import('./config.ts')
  const { createRuntime } = await import('../runtime.ts')
  const runtime = await createRuntime({ ...(await runtimeOptions(options)), ...more })
  try {
    const code = await command(runtime)
    process.exitCode = interrupted.signal.aborted ? 130 : code
  } finally {
    await runtime.close()
  }
}

async function finish(command: () => Promise<number>): Promise<void> {
  process.exitCode = await command()
}

/** Says what went wrong and gives the exit code. */
async function explain(error: unknown): Promise<number> {
  // Commander has printed its own message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ImportError) return (await import('./import-output.ts')).explainImport(error)
  const isUsage = error instanceof UsageError || error instanceof TypeError
  complain(red(error instanceof Error ? error.message : String(error)))
  return isUsage ? 2 : 1
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value]
}

/** Commands that see what a caller may see. */
function asCaller(command: Command): Command {
  const roles = (process.env['SKILLWRIGHT_ROLE'] ?? '').split(',').filter(Boolean)
  return common(command).option('--role <name>', 'a role of yours; repeatable', collect, roles)
}

/** Commands that are steps on the way to a tool. */
function traced(command: Command): Command {
  const trace = new Option('--trace <id>', 'ties this step to others in the audit').env('SKILLWRIGHT_TRACE')
  return asCaller(command).addOption(trace)
}

/** What an MCP client gets to see. */
function asMcp(command: Command): Command {
  return asCaller(command)
    .addOption(
      new Option('--mode <mode>', 'discovery: five operations find all tools; flat: every tool by itself')
        .env('SKILLWRIGHT_MODE')
        .default('discovery'),
    )
    .option('--pin <tool>', 'a tool that is listed beside the five operations; repeatable', collect, [])
}

function paged(command: Command): Command {
  return command
    .option('--limit <number>', 'at most so many, up to 50; default 10')
    .option('--cursor <cursor>', 'go on where the page before ended')
}

/** What is granted to one skill is not granted to all. */
function withoutGrants({ policy: _, ...options }: PlacedOptions & { readonly policy?: string }): CommonOptions {
  return { ...options, env: [], allowPrivate: [], builtins: false }
}

/** A call that may ask whoever sits at the terminal. */
async function withApproval(options: CallOptions): Promise<RuntimeOptions> {
  const { askOnTerminal } = await import('./ask.ts')
  const onApproval = askOnTerminal(options)
  return onApproval ? { onApproval } : {}
}

function common(command: Command): Command {
  const policy = new Option('--policy <name>', 'what tools may do where no rule says otherwise').env(
    'SKILLWRIGHT_POLICY',
  )
  return placed(command)
    .option('--env <name>', 'an environment variable that skills get when they declare it; repeatable', collect, [])
    .option('--allow-private <host>', 'a private host[:port] that HTTP tools may reach; repeatable', collect, [])
    .addOption(
      new Option('--builtins', 'tools for the workspace too: bash, read, write, edit, grep, glob, ls').default(
        isSet('SKILLWRIGHT_BUILTINS'),
      ),
    )
    .addOption(policy)
}

/** Where skills are, and how to speak. */
function placed(command: Command): Command {
  return command
    .option('--source <folder>', 'a folder of skills; repeatable, later ones win', collect, fromEnvironment())
    .addOption(
      new Option('--no-default-sources', 'leave out the usual folders of project and user').default(
        !isSet('SKILLWRIGHT_NO_DEFAULT_SOURCES'),
      ),
    )
    .addOption(new Option('--config <file>', 'skillwright.yaml, else found upwards').env('SKILLWRIGHT_CONFIG'))
    .addOption(new Option('--workspace <folder>', 'the folder that scripts run in').env('SKILLWRIGHT_WORKSPACE'))
    .addOption(new Option('--json', 'machine output on stdout').default(isSet('SKILLWRIGHT_JSON')))
    .addOption(new Option('--quiet', 'results only').default(isSet('SKILLWRIGHT_QUIET')))
}

function isSet(variable: string): boolean {
  return !['', '0', 'false', 'no'].includes((process.env[variable] ?? '').toLowerCase())
}

/** The options of commands that change a folder of imported skills. */
function target(command: Command): Command {
  return command
    .addOption(new Option('--into <folder>', 'the folder of imported skills').env('SKILLWRIGHT_INTO'))
    .addOption(new Option('--json', 'machine output on stdout').env('SKILLWRIGHT_JSON').default(false))
    .addOption(new Option('--quiet', 'results only').env('SKILLWRIGHT_QUIET').default(false))
}

/** `SKILLWRIGHT_SOURCE` holds folders like PATH does. */
function fromEnvironment(): string[] {
  return (process.env['SKILLWRIGHT_SOURCE'] ?? '').split(delimiter).filter(Boolean)
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return (manifest as { version: string }).version
}
