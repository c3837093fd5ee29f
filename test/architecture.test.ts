// Who may import whom, and that every promised name is written down.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { DIAGNOSTICS } from '../src/diagnostics.ts'
import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../src/errors.ts'
import { IMPORT_ERRORS } from '../src/import/import-error.ts'
import { PUBLISHED_SCHEMAS } from '../src/tools/manifest-schema.ts'

const ROOT = resolve(import.meta.dirname, '..')
const LEAVES = [
  'types.ts',
  'specs.ts',
  'events.ts',
  'errors.ts',
  'diagnostics.ts',
  'visibility.ts',
  'libraries.ts',
  'text',
  'files',
  'json-schema',
]

/** Room → the rooms it may import from, besides itself and the leaves. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'types.ts': [],
  'specs.ts': [],
  'events.ts': [],
  'errors.ts': [],
  'diagnostics.ts': [],
  'visibility.ts': [],
  'libraries.ts': [],
  'wire.ts': [],
  text: [],
  templates: [],
  'json-schema': [],
  files: [],
  skills: [],
  inspect: [],
  mcp: ['process', 'templates'],
  tools: ['inspect', 'templates', 'mcp'],
  compile: ['skills', 'tools', 'mcp'],
  process: ['sandbox'],
  workers: ['sandbox', 'process'],
  runner: ['sandbox', 'process', 'workers'],
  sandbox: [],
  policy: ['sandbox', 'network', 'trust'],
  trust: ['process'],
  network: [],
  builtins: [],
  executors: ['process', 'network', 'templates', 'mcp', 'policy', 'sandbox', 'builtins'],
  catalogue: [],
  call: ['policy'],
  audit: [],
  import: ['skills', 'process', 'network', 'trust'],
  sessions: ['catalogue', 'compile', 'skills', 'audit'],
  'runtime-options.ts': [
    ...['audit', 'builtins', 'call', 'catalogue', 'executors', 'mcp', 'policy', 'runner', 'sessions', 'skills'],
    ...['tools', 'trust'],
  ],
  'runtime.ts': [
    ...['runtime-options.ts', 'policy', 'trust', 'import', 'skills', 'tools', 'compile', 'catalogue', 'call'],
    ...['executors', 'process', 'runner', 'sandbox', 'network', 'mcp', 'audit', 'sessions', 'builtins'],
  ],
  'index.ts': [
    'runtime.ts',
    'policy',
    'trust',
    'wire.ts',
    'catalogue',
    'sessions',
    'builtins',
    'import',
    'mcp',
    'adapters',
  ],
  adapters: ['runtime.ts', 'wire.ts', 'catalogue', 'network'],
  servers: ['runtime.ts', 'wire.ts', 'catalogue', 'sessions', 'adapters', 'audit', 'import'],
  cli: ['servers', 'runtime.ts', 'builtins', 'policy', 'trust', 'wire.ts', 'catalogue', 'audit', 'mcp', 'import'],
}

const room = (file: string) => relative(join(ROOT, 'src'), file).split('/')[0]!
const sources = sourceFiles('src')

test('imports point one way only', () => {
  const wrong = sources.flatMap(file => {
    const from = room(file)
    const allowed = MAY_IMPORT[from]
    if (!allowed) return [`${from} is not in the table`]
    return importsOf(file)
      .filter(path => path.startsWith('.'))
      .map(path => room(resolve(dirname(file), path)))
      .filter(to => to !== from && !LEAVES.includes(to) && !allowed.includes(to))
      .map(to => `${relative(ROOT, file)} imports ${to}`)
  })
  expect(wrong).toEqual([])
})

test('the main entry needs no optional peer', () => {
  const reached = reach(join(ROOT, 'src/index.ts'), importsOf)
  const foreign = [...reached].flatMap(importsOf).filter(path => path.startsWith('@langchain'))
  expect(foreign).toEqual([])
})

test.each([
  ['src/index.ts', []],
  ['src/cli/main.ts', ['commander', 'picocolors']],
])('%s begins without the libraries that only some calls need', (entry, expected) => {
  const reached = reach(join(ROOT, entry), loadedAtStart)
  const foreign = [...reached].flatMap(loadedAtStart).filter(path => !/^(?:\.|node:)/.test(path))
  expect([...new Set(foreign)].sort()).toEqual(expected)
})

test('the command line begins without the runtime, and the runtime without the compiler', () => {
  const rooms = (entry: string) => new Set([...reach(join(ROOT, entry), loadedAtStart)].map(room))
  expect([...rooms('src/cli/main.ts')].sort()).toEqual(['cli', 'import'])
  expect([...rooms('src/runtime.ts')]).not.toContain('inspect')
})

test.each([
  ['docs/errors.md', Object.entries(ERROR_CODES).map(([code, means]) => [code, `${means} | ${statuses(code)}`])],
  ['docs/import.md', Object.entries(IMPORT_ERRORS)],
  [
    'docs/diagnostics.md',
    Object.entries(DIAGNOSTICS).map(([code, { severity, means }]) => [code, `${severity} | ${means}`]),
  ],
])('%s lists what the code has, and nothing else', (file, entries) => {
  const rows = read(join(ROOT, file))
    .split('\n')
    .filter(line => line.startsWith('| `'))
  expect(rows).toEqual(entries.map(([code, means]) => `| \`${code}\` | ${means} |`))
})

test('docs/events.md lists the events of the code', () => {
  const declared = [...read(join(ROOT, 'src/events.ts')).matchAll(/type: '((?:dynamic_tool|discovery)\.\w+)'/g)].map(
    match => match[1],
  )
  const listed = [...read(join(ROOT, 'docs/events.md')).matchAll(/^## `(.+)`$/gm)].map(match => match[1])
  expect(listed).toEqual(declared)
})

test.each(Object.entries(PUBLISHED_SCHEMAS))('schemas/%s is what the readers check with', (name, schema) => {
  expect(JSON.parse(read(join(ROOT, 'schemas', name)))).toEqual(schema)
})

test('every diagnostic and error that is listed can happen', () => {
  const code = sources
    .filter(file => !/(?:diagnostics|errors|import-error)\.ts$/.test(file))
    .map(read)
    .join('\n')
  const unused = [ERROR_CODES, IMPORT_ERRORS, DIAGNOSTICS]
    .flatMap(Object.keys)
    .filter(name => !code.includes(`'${name}'`))
  expect(unused).toEqual([])
})

function statuses(code: string): string {
  const { http, grpc, jsonRpc } = ERROR_STATUS[code as ErrorCode]
  return `${http} | ${grpc} | ${jsonRpc}`
}

function reach(file: string, follow: (file: string) => string[], seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const path of follow(file)) if (path.startsWith('.')) reach(resolve(dirname(file), path), follow, seen)
  return seen
}

/** All that a file names, whether it is loaded at the start, later, or only has types. */
function importsOf(file: string): string[] {
  const later = [...read(file).matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(match => match[1]!)
  return [...statementsOf(file, 'import|export'), ...later]
}

function loadedAtStart(file: string): string[] {
  return statementsOf(file, '(?:import|export)(?! type)')
}

function statementsOf(file: string, begin: string): string[] {
  const statement = new RegExp(`^(?:${begin})\\b(?:[^'"=(]*\\bfrom)? ['"]([^'"]+)['"]`, 'gm')
  return [...read(file).matchAll(statement)].map(match => match[1]!)
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

function sourceFiles(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return files.filter(file => file.endsWith('.ts')).map(file => join(ROOT, folder, file))
}
