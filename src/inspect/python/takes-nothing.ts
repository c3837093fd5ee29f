// Whether a script surely takes no arguments and no input: nothing in it, or in what it imports of the skill, could.
import { siblingFile } from './import-module.ts'
import { isStandardModule } from './standard-modules.ts'

/** Text of a file relative to the script's folder. */
type Sibling = (path: string) => string | undefined

/** True only when there is no sign at all. A sign in a comment counts too: free-form is the safe answer. */
export function takesNothing(text: string, sibling: Sibling): boolean {
  const seen = new Set<string>()
  const pending = [text]
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (SIGNS.test(current)) return false
    const imports = importsOf(current)
    if (!imports || imports.some(({ path }) => READERS.test(path))) return false
    for (const { path, dots } of imports) {
      if (dots === 0 && isStandardModule(path)) continue
      const files = prefixesOf(path, dots).flatMap(prefix => siblingFile(prefix, dots, sibling) ?? [])
      // A folder that is added to the path may hold what cannot be found here.
      if (files.length === 0 && (dots > 0 || current.includes('sys.path'))) return false
      if (files.length === 0 && ENTRIES.test(path)) return false
      for (const file of files) {
        if (seen.has(file)) continue
        // Imports of another folder start there.
        if (seen.size >= MOST_FILES || file.includes('/')) return false
        seen.add(file)
        pending.push(sibling(file) ?? '')
      }
    }
  }
  return true
}

const MOST_FILES = 20

/** Names that read arguments, standard input or a terminal, or that run code which cannot be seen. */
const SIGNS = new RegExp(
  [
    /argv|[Aa]rg(?:ument)?_?[Pp]ars|parse_?(?:known_?)?arg|handle_args|command_?line|cmdline|from_cli|\bCli(?:App|Settings)|CLI\(/,
    /\bstdin\b|\/dev\/(?:tty|fd)|\bopen\s*\(\s*0\b|\bos\.(?:read|fdopen)\s*\(|isatty|getpass|getch\b|\bbreakpoint\b/,
    /(?<![.\w])(?:raw_)?input\s*(?=[(),\]}]|$)/,
    /(?<![.\w])(?:exec|eval|execfile|compile|__import__)\s*(?=[(),\]}]|$)|import_module|spec_from|getattr\s*\(\s*sys\b/,
    /\.(?:main|cli|prompt|confirm|ask|interact|launch_instance|automain)\s*\(|\bapp\.run\s*\(\s*main\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
)

/** Modules that read a command line, standard input or a terminal by themselves. */
const READERS =
  /^(?:argparse|optparse|getopt|(?:rich_)?click|cloup|typer|fire|docopt\w*|absl|gflags|hydra|omegaconf|tyro|plac\w*|simple_parsing|jsonargparse|configargparse|cleo|cyclopts|defopt|clize|tap|argh|argbind|argcomplete|arguably|begin|cement|cliff|baker|invoke|fabric|nox|doit|duty|pyrallis|draccus|chz|datargs|dataclass_cli|corgy|pydantic_settings|pydantic_cli|traitlets|sacred|gooey|gin|metaflow|luigi|locust|scrapy|celery|django|setuptools|distutils|kivy|bpy|unittest|pytest|nose|mcp|fastmcp|streamlit|textual|prompt_toolkit|inquirer\w*|InquirerPy|questionary|PyInquirer|simple_term_menu|pick|urwid|blessed|asciimatics|pynput|keyboard|curses|readline|cmd2?|code|codeop|pdb|ipdb|IPython|termios|tty|pty|msvcrt|fileinput|getpass|runpy|importlib|imp|pkgutil|zipimport|ctypes|cffi|timeit|trace|profile|cProfile|pydoc|pip|rich\.prompt|sys\.stdin|sys\.\*)(?:\.|$)/

/** What a module of someone else is likely to call its own command line. */
const ENTRIES = /(?:^|\.)_*(?:\w*main|\w*cli|\w*args?|cmd|console|entry\w*|scripts?)_*(?:\.|$)/i

type Imported = { readonly path: string; readonly dots: number }

const IMPORT =
  /(?:^|[;:])[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b[ \t]*(\([^)]{0,1000}\)|[^\n;#]*)|import[ \t]+([^\n;#]+))/gm

/** Everything that is imported anywhere, by its whole path; undefined when that could not be read. */
function importsOf(text: string): readonly Imported[] | undefined {
  const found: Imported[] = []
  for (const [, dots = '', from = '', names, plain] of text.matchAll(IMPORT)) {
    const list = (names ?? plain ?? '').replace(/#.*$/gm, '')
    if (/\\|^\([^)]*$/.test(list)) return undefined
    for (const item of list.replace(/[()]/g, '').split(',')) {
      const name = item.trim().split(/\s/)[0]
      if (name) found.push({ path: [from, name].filter(Boolean).join('.'), dots: dots.length })
    }
  }
  return found
}

/** `a`, `a.b`, `a.b.c`: each may be a file. */
function prefixesOf(path: string, dots: number): readonly string[] {
  const parts = path.split('.')
  const own = parts.map((_, index) => parts.slice(0, index + 1).join('.'))
  return dots > 0 ? ['', ...own] : own
}
