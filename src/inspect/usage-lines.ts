// Sorts the lines of a usage text: synopses, options, arguments, commands.

export type UsageLines = {
  /** What follows the program's name in each synopsis. */
  readonly synopses: readonly { readonly text: string; readonly line: number }[]
  readonly options: readonly UsageLine[]
  readonly arguments: readonly UsageLine[]
  readonly commands: readonly UsageLine[]
  /** Lines before the first synopsis. */
  readonly intro: readonly string[]
}

/** A line with the indented lines that continue it. */
export type UsageLine = { readonly text: string; readonly line: number }

/** More than any usage text has; what goes beyond is something else. */
const MOST_LINES = 400
const LONGEST_LINE = 400

type Section = 'intro' | 'usage' | 'options' | 'arguments' | 'commands' | 'other'

const HEADING =
  /^\s*(?:#+\s*)?\*{0,2}((?:\w+[ -]){0,2}(?:options?|flags?|arguments?|args|parameters?|params|commands?|subcommands?|actions?|examples?|environment(?: variables)?|env(?: vars)?|requirements?|requires|notes?|output|exit codes?|description|available|formats?))\*{0,2}\s*(?:\([^)]*\))?\s*:\*{0,2}\s*$/i
const USAGE = /\busage\b\s*:?\**\s*/i
const PROGRAM =
  /^(?:(?:sudo|env|bash|sh|zsh|node|tsx|ts-node|bun|deno run|npx(?: -y)?|npx tsx|python3?(?: -m)?|uv run(?: python)?|ruby|perl|pwsh)\s+)*(?:\[?\$\(basename[^)]*\)+"?|"?\$\{?0[^\s}]*\}?"?|"?\$\{?(?:SCRIPT_NAME|PROGRAM|PROGNAME|script_name|prog|SCRIPT|ME|BASENAME)\}?"?|%\(prog\)s|%s|%prog|[\w./{}$~@-]*[\w}])(?=\s|$)/

export function sortUsageLines(text: string, first: number): UsageLines {
  const synopses: { text: string; line: number }[] = []
  const found: Record<'options' | 'arguments' | 'commands', { text: string; line: number }[]> = {
    options: [],
    arguments: [],
    commands: [],
  }
  const intro: string[] = []
  let section: Section = 'intro'
  let program: string | undefined
  let open: { text: string; line: number; indent: number } | undefined

  for (const [index, whole] of text.split(/\r?\n/, MOST_LINES).entries()) {
    const raw = whole.slice(0, LONGEST_LINE)
    const line = first + index
    const trimmed = raw.trim()
    const indent = raw.search(/\S/)
    if (trimmed === '') {
      open = undefined
      if (section === 'usage' && synopses.length > 0) section = 'other'
      continue
    }
    const heading = HEADING.exec(raw)?.[1] ?? /^[A-Z][A-Z ]+$/.exec(raw)?.[0]
    if (heading && !USAGE.test(heading) && !(section === 'usage' && synopses.length === 0)) {
      section = sectionOf(heading)
      open = undefined
      continue
    }
    if (/^-{1,2}[A-Za-z?]/.test(trimmed.replace(/^[*•`]\s*/, '')) && section !== 'commands') {
      open = { text: raw, line, indent }
      found.options.push(open)
      continue
    }
    const usage = USAGE.exec(raw)
    if (
      usage &&
      (section === 'intro' || section === 'other') &&
      /^[^\w]*$|[:"'({]\s*$|^\s*\w+:\s*$/.test(raw.slice(0, usage.index).replace(/^.*error\W*/i, ''))
    ) {
      section = 'usage'
      const rest = raw.slice(usage.index + usage[0].length)
      if (rest.trim() === '') continue
      program = programOf(rest)
      addSynopsis(rest, program, line, synopses)
      continue
    }
    if (section === 'usage') {
      const own = programOf(trimmed)
      if (/^[[<]/.test(trimmed) && synopses.length > 0) synopses.at(-1)!.text += ` ${withoutRemark(trimmed)}`
      else if (own !== '' && (program === undefined || sameProgram(own, program) || /^or:?\s/i.test(trimmed))) {
        program ??= own
        addSynopsis(trimmed.replace(/^or:?\s+/i, ''), programOf(trimmed.replace(/^or:?\s+/i, '')), line, synopses)
      } else section = 'other'
      continue
    }
    if (open && indent > open.indent) {
      if (section === 'commands' && trimmed.startsWith('-')) open = undefined
      else open.text += ` ${trimmed}`
      continue
    }
    if (section === 'intro') intro.push(raw)
    else if (section === 'arguments' || section === 'commands') {
      open = { text: raw, line, indent }
      found[section].push(open)
    }
  }
  return { synopses, ...found, intro }
}

function addSynopsis(text: string, program: string, line: number, synopses: { text: string; line: number }[]): void {
  const rest = text.trim().slice(program.length)
  synopses.push({ text: withoutRemark(rest), line })
}

function programOf(text: string): string {
  return PROGRAM.exec(text.trim())?.[0] ?? ''
}

/** A second synopsis calls the same file, or names itself by `$0`. */
function sameProgram(a: string, b: string): boolean {
  const last = (text: string) => text.replace(/["']/g, '').split(/[/\s]/).at(-1)
  return last(a) === last(b) || /\$\{?0|basename/.test(a)
}

/** Cuts `# remark`, ` - remark`, and prose after a wide gap. */
function withoutRemark(text: string): string {
  return text
    .replace(/\s+#.*$/, '')
    .replace(/\s+[–—-]\s+[A-Za-z].*$/, '')
    .replace(/\s{2,}(?=["']?\p{Lu}?\p{Ll}+\s+\p{Ll}).*$/u, '')
    .replace(/["'}\\n]*["']\s*\}?$/, match =>
      /^["']$/.test(match) && /["'][^"']+$/.test(text.slice(0, -1)) ? match : '',
    )
}

function sectionOf(heading: string): Section {
  if (/options?$|flags?$/i.test(heading)) return 'options'
  if (/(?:arguments?|args|parameters?|params)$/i.test(heading)) return 'arguments'
  if (/commands?$|actions?$/i.test(heading)) return 'commands'
  return 'other'
}
