// Names that stand in a script's text. A hint for whoever reviews it, no proof: a script can put any name together.

const MAX_FOUND = 100

/** Hosts of URLs. */
export function mentionedHosts(text: string): string[] {
  return found(text, [/\bhttps?:\/\/((?:[\w-]{1,63}\.){0,10}[\w-]{1,63}(?::\d{1,5})?)/gi]).map(host =>
    host.toLowerCase(),
  )
}

/** Environment variables that Python, JavaScript, Ruby, Perl, PowerShell and shell scripts read. */
export function mentionedVariables(text: string): string[] {
  const names = found(text, [
    /\benviron(?:\.get\(|\[)\s{0,9}["'](\w{1,100})["']/g,
    /\bgetenv\(\s{0,9}["'](\w{1,100})["']/g,
    /\bprocess\.env\.(\w{1,100})/g,
    /\bprocess\.env\[\s{0,9}["'](\w{1,100})["']/g,
    /\bENV(?:\.fetch\(|\[)\s{0,9}["'](\w{1,100})["']/g,
    /\$ENV\{["']?(\w{1,100})/g,
    /\$env:(\w{1,100})/g,
    // A shell script's own variables are lower case by custom.
    /\$\{?([A-Z][A-Z0-9_]{2,99})\b/g,
  ])
  return names.filter(name => !EVERYWHERE.has(name))
}

/** What every script gets, or every shell makes itself. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'LANG', 'PWD', 'OLDPWD', 'OPTARG', 'OPTIND', 'IFS', 'ENV'],
  ...['SKILL_DIR', 'TOOL_ARGS', 'TOOL_ARGS_FILE', 'CLAUDE_SKILL_DIR', 'ARGUMENTS', 'RANDOM', 'SECONDS', 'REPLY'],
  ...['BASH_SOURCE', 'FUNCNAME', 'LINENO', 'EUID', 'UID', 'PPID', 'HOSTNAME', 'BASH_REMATCH', 'PIPESTATUS'],
])

function found(text: string, patterns: readonly RegExp[]): string[] {
  const names = new Set<string>()
  for (const pattern of patterns)
    for (const match of text.matchAll(pattern)) {
      names.add(match[1]!)
      if (names.size >= MAX_FOUND) return [...names]
    }
  return [...names]
}
