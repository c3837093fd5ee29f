// Every mistake in a skill folder that the report can name: one closed list. Listed in docs/diagnostics.md.
import type { Diagnostic } from './types.ts'

type Kind = { readonly severity: Diagnostic['severity']; readonly means: string }

/** Code → how bad it is and what it means. */
export const DIAGNOSTICS = {
  'source-missing': { severity: 'warning', means: 'A folder that was named as a source does not exist.' },
  'source-unreadable': { severity: 'error', means: 'A folder inside a source could not be read.' },
  'link-broken': { severity: 'warning', means: 'A symbolic link points to nothing.' },
  'link-outside': { severity: 'warning', means: 'A symbolic link leads out of its source and is not followed.' },
  'frontmatter-missing': { severity: 'error', means: 'SKILL.md has no YAML frontmatter, so the skill is unusable.' },
  'frontmatter-unreadable': { severity: 'error', means: 'The frontmatter is not YAML, so the skill is unusable.' },
  'frontmatter-repaired': { severity: 'warning', means: 'The frontmatter was not valid YAML and was read by quoting.' },
  'description-missing': { severity: 'error', means: 'There is no description, so the skill is unusable.' },
  'byte-order-mark': { severity: 'info', means: 'SKILL.md begins with a byte order mark.' },
  'crlf-line-ends': { severity: 'info', means: 'SKILL.md has Windows line ends.' },
  'key-repeated': { severity: 'warning', means: 'A frontmatter key occurs twice; the last one counts.' },
  'name-missing': { severity: 'warning', means: "There is no name; the folder's name is used." },
  'name-invalid': { severity: 'warning', means: 'The name breaks the rule of the specification.' },
  'name-unlike-folder': { severity: 'info', means: "The name differs from the folder's name." },
  'name-taken': { severity: 'warning', means: 'Another skill has the same name and wins.' },
  'description-too-long': { severity: 'info', means: 'The description has more than 1,024 characters.' },
  'compatibility-too-long': { severity: 'info', means: 'The compatibility note has more than 500 characters.' },
  'metadata-nested': { severity: 'info', means: 'The metadata is not a flat map of strings.' },
  'allowed-tools-unreadable': { severity: 'warning', means: '`allowed-tools` is neither text nor a list.' },
  'allowed-tools-without-bash': { severity: 'warning', means: '`allowed-tools` lacks Bash, so scripts are refused.' },
  'plugin-unreadable': { severity: 'warning', means: 'A plugin or marketplace file cannot be used as it is.' },
  'script-unreadable': { severity: 'warning', means: 'A script could not be read in full; its tool is free-form.' },
  'script-partly-read': { severity: 'info', means: 'Only part of a script’s interface could be read.' },
  'script-interactive': { severity: 'warning', means: 'A script asks questions on a terminal; nobody answers there.' },
  'variable-needed': { severity: 'warning', means: 'A script needs an environment variable, and scripts get few.' },
  'variable-refused': {
    severity: 'error',
    means: 'A declared variable has no usable name, or one that changes what programs load; scripts do not get it.',
  },
  'requirement-missing': { severity: 'warning', means: 'A module or program that a script needs is not installed.' },
  'script-refused': { severity: 'error', means: 'A script may not run: it lies outside its skill or is setuid.' },
  'manifest-unreadable': { severity: 'error', means: 'A manifest is not YAML or JSON, so that its tools are missing.' },
  'manifest-wrong-value': {
    severity: 'error',
    means: 'A setting around the tools of a manifest is wrong and does not count.',
  },
  'manifest-unknown-key': { severity: 'warning', means: 'A declaration has a key that nothing reads.' },
  'tool-invalid': { severity: 'error', means: 'A declared tool cannot be used; its siblings can.' },
  'tool-declared-twice': { severity: 'warning', means: 'A tool is declared in two places; the higher one counts.' },
  'tool-shadowed': { severity: 'warning', means: 'A static tool has the name, and static tools always win.' },
  'tool-renamed': { severity: 'info', means: 'Two scripts have the same name; one got a suffix.' },
  'interpreter-missing': { severity: 'warning', means: 'The program that runs this script is not installed.' },
  'mcp-server-unreachable': { severity: 'warning', means: 'An MCP server did not answer, so its tools are missing.' },
  'mcp-tool-refused': { severity: 'warning', means: 'A tool of an MCP server cannot be used as it is described.' },
  'mcp-setting-unknown': { severity: 'info', means: 'A key in the configuration of an MCP server has no effect.' },
} as const satisfies Record<string, Kind>

export type DiagnosticCode = keyof typeof DIAGNOSTICS

/** Makes a diagnostic; how bad it is comes from the list. */
export function diagnose(
  code: DiagnosticCode,
  at: { readonly file: string; readonly line?: number | undefined },
  text: { readonly message: string; readonly hint: string },
): Diagnostic {
  const line = at.line === undefined ? {} : { line: at.line }
  return { severity: DIAGNOSTICS[code].severity, code, ...text, file: at.file, ...line }
}
