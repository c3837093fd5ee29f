// Packages that a script needs, from its metadata block and its imports.
import type { Requirement } from '../inspection.ts'
import { siblingFile } from './import-module.ts'
import type { Module } from './parse-module.ts'
import { isStandardModule } from './standard-modules.ts'
import type { Import, Statement } from './syntax.ts'
import { visitStatements } from './visit-syntax.ts'

/** One entry per package, in order of appearance. What a script can do without is not a requirement. */
export function readRequirements(module: Module, sibling: (path: string) => string | undefined): Requirement[] {
  const declared = declaredPackages(module.text)
  const found = new Map<string, Requirement>()
  for (const { name, paths, at } of imports(module.statements)) {
    if (found.has(name) || isStandardModule(name)) continue
    if (paths.some(path => siblingFile(path, 0, sibling) !== undefined)) continue
    const install = declared.find(entry => isFor(entry.name, name))
    found.set(name, {
      kind: 'module',
      name,
      ...(install ? { install: install.text } : installName(name)),
      line: module.lineAt(at),
    })
  }
  const used = [...found.values()].map(requirement => requirement.install)
  const others = declared.filter(entry => !used.includes(entry.text))
  return [
    ...found.values(),
    ...others.map(
      (entry): Requirement => ({ kind: 'module', name: moduleName(entry.name), install: entry.text, line: entry.line }),
    ),
  ]
}

function installName(name: string): { install?: string } {
  const install = PACKAGES[name]
  return install ? { install } : {}
}

/** `paths` are all modules that the import may mean, the package first. */
type Imported = { readonly name: string; readonly paths: readonly string[]; readonly at: number }

/** Top-level names of absolute imports that the script cannot go without. */
function imports(statements: readonly Statement[]): readonly Imported[] {
  const found: Imported[] = []
  const optional = new Set<string>()
  const visit = (list: readonly Statement[], guarded: boolean) =>
    visitStatements(list, {
      statement: statement => {
        if (statement.kind === 'import') {
          for (const imported of namesOf(statement)) {
            if (guarded) optional.add(imported.name)
            else found.push(imported)
          }
          return false
        }
        if (statement.kind === 'function') return statement.text().includes('import') ? undefined : false
        // `if TYPE_CHECKING:` never runs.
        if (
          statement.kind === 'if' &&
          statement.branches.some(({ test }) => 'name' in test && test.name === 'TYPE_CHECKING')
        ) {
          return false
        }
        if (statement.kind !== 'try' || !catchesMissing(statement)) return undefined
        visit(statement.body(), guarded || !statement.handlers.some(handler => leaves(handler.body())))
        for (const { body } of statement.handlers) visit(body(), true)
        visit([...(statement.otherwise?.() ?? []), ...(statement.finally?.() ?? [])], guarded)
        return false
      },
    })
  visit(statements, false)
  return found.filter(({ name }) => !optional.has(name))
}

function namesOf({ from, names, dots, at }: Import): readonly Imported[] {
  if (dots > 0) return []
  const paths = from === undefined ? names.map(({ name }) => name) : names.map(({ name }) => `${from}.${name}`)
  return paths.map(path => {
    const parts = path.split('.')
    // `google` is a name that many packages share.
    const name = parts.slice(0, parts[0] === 'google' ? 2 : 1).join('.')
    return { name, paths: parts.map((_, index) => parts.slice(0, index + 1).join('.')), at }
  })
}

function catchesMissing(statement: Extract<Statement, { kind: 'try' }>): boolean {
  return statement.handlers.some(
    ({ types }) => types.length === 0 || types.some(type => /(ImportError|ModuleNotFoundError|^Exception)$/.test(type)),
  )
}

/** A handler that gives up makes the import a requirement after all. */
function leaves(body: readonly Statement[]): boolean {
  return body.some(
    statement =>
      statement.kind === 'raise' ||
      (statement.kind === 'expression' &&
        statement.value.kind === 'call' &&
        ((statement.value.callee.kind === 'attribute' && statement.value.callee.name === 'exit') ||
          (statement.value.callee.kind === 'name' && /^(exit|quit)$/.test(statement.value.callee.name)))),
  )
}

type Declared = { readonly name: string; readonly text: string; readonly line: number }

/** Dependencies of a PEP 723 block. */
export function declaredPackages(text: string): readonly Declared[] {
  if (!text.includes('# /// script')) return []
  const lines = text.split('\n')
  const start = lines.findIndex(line => /^# \/\/\/ script\s*$/.test(line))
  const length = lines.slice(start + 1).findIndex(line => /^# \/\/\/\s*$/.test(line))
  if (start < 0 || length < 0) return []
  const block = lines.slice(start + 1, start + 1 + length).map(line => line.replace(/^# ?/, ''))
  const from = block.findIndex(line => /^\s*dependencies\s*=/.test(line))
  if (from < 0) return []
  const found: Declared[] = []
  for (const [index, line] of block.slice(from).entries()) {
    const code = index === 0 ? line.slice(line.indexOf('=') + 1) : line
    for (const [, double, single] of code.matchAll(/"([^"]*)"|'([^']*)'/g)) {
      const entry = (double ?? single ?? '').trim()
      const name = /^[A-Za-z0-9][\w.-]*/.exec(entry)?.[0]
      if (name) found.push({ name, text: entry, line: start + 2 + from + index })
    }
    if (/\]\s*(#.*)?$/.test(code.replace(/"[^"]*"|'[^']*'/g, ''))) break
  }
  return found
}

function isFor(installed: string, imported: string): boolean {
  const same = (left: string, right: string) => normal(left) === normal(right)
  return same(installed, imported) || same(installed, PACKAGES[imported] ?? imported)
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

function moduleName(installed: string): string {
  const known = Object.entries(PACKAGES).find(([, install]) => normal(install) === normal(installed))
  return known?.[0] ?? installed.replace(/[-.]/g, '_')
}

/** Well-known packages that are imported under another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  Crypto: 'pycryptodome',
  Bio: 'biopython',
  MySQLdb: 'mysqlclient',
  OpenSSL: 'pyopenssl',
  PIL: 'pillow',
  attr: 'attrs',
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python',
  dateutil: 'python-dateutil',
  docx: 'python-docx',
  dotenv: 'python-dotenv',
  fitz: 'pymupdf',
  git: 'gitpython',
  github: 'pygithub',
  'google.auth': 'google-auth',
  'google.genai': 'google-genai',
  'google.generativeai': 'google-generativeai',
  'google.oauth2': 'google-auth',
  'google.protobuf': 'protobuf',
  googleapiclient: 'google-api-python-client',
  jwt: 'pyjwt',
  magic: 'python-magic',
  mpl_toolkits: 'matplotlib',
  pptx: 'python-pptx',
  psycopg2: 'psycopg2-binary',
  serial: 'pyserial',
  skimage: 'scikit-image',
  sklearn: 'scikit-learn',
  slack_sdk: 'slack-sdk',
  telegram: 'python-telegram-bot',
  usb: 'pyusb',
  websocket: 'websocket-client',
  whisper: 'openai-whisper',
  win32com: 'pywin32',
  yaml: 'pyyaml',
  yt_dlp: 'yt-dlp',
  zmq: 'pyzmq',
}
