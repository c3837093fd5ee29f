// Which modules a Python worker loads ahead: of the standard library only, and only what the scripts beside it import.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Modules without threads, files, warnings or questions to the environment at their import. */
const HARMLESS = new Set(
  (
    'abc argparse ast array asyncio base64 binascii bisect bz2 calendar cmath collections concurrent configparser contextlib ' +
    'copy csv dataclasses datetime decimal difflib email enum errno fnmatch fractions ftplib functools getopt glob ' +
    'gzip hashlib heapq hmac html http inspect io ipaddress itertools json keyword locale logging lzma math ' +
    'mimetypes numbers operator os pathlib pickle platform pprint queue random re sched secrets shlex shutil signal ' +
    'smtplib socket sqlite3 ssl stat statistics string struct subprocess sys tarfile tempfile textwrap threading time ' +
    'token tokenize tomllib traceback types typing unicodedata urllib uuid warnings weakref xml zipfile zlib zoneinfo'
  ).split(' '),
)
/** Packages whose parts are modules of their own. */
const PARTS =
  /^(?:asyncio|collections\.abc|concurrent\.futures|email\.\w+|html\.\w+|http\.(?:client|cookies|cookiejar|server)|importlib\.\w+|json|logging\.\w+|os\.path|urllib\.(?:request|parse|error|robotparser)|xml\.(?:etree\.ElementTree|dom\.minidom|sax\.saxutils))$/

const MAX_FILES = 50
const MAX_BYTES = 256 * 1024
const IMPORT = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]|import[ \t]+([\w., \t]+))/gm

/** Names for `import`, from the script and the files beside it, which it may import. `more` is code of our own. */
export function preloadsFor(script: string, more: string): readonly string[] {
  const files = [script, ...siblings(script)]
  return [...new Set([more, ...files.map(readHead)].flatMap(importedBy))]
}

function importedBy(source: string): string[] {
  const found = [...source.matchAll(IMPORT)].flatMap(([, from, list]) =>
    from ? [from] : list!.split(',').map(item => item.trim().split(/\s/)[0]!),
  )
  return found.filter(name => (name.includes('.') ? PARTS.test(name) : HARMLESS.has(name)))
}

function siblings(script: string): string[] {
  try {
    const names = readdirSync(dirname(script)).filter(name => name.endsWith('.py'))
    return names.slice(0, MAX_FILES).map(name => join(dirname(script), name))
  } catch {
    return []
  }
}

function readHead(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(MAX_BYTES)
      return bytes.toString('latin1', 0, readSync(descriptor, bytes))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
