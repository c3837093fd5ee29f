import type { AllowedTool } from '../types.ts'

/**
 * Reads `allowed-tools` in any of its spellings: a YAML list, comma- or space-separated text, with patterns such as
 * `Bash(git *)`. Undefined when the value is neither text nor a list of texts.
 */
export function readAllowedTools(value: unknown): readonly AllowedTool[] | undefined {
  const parts = Array.isArray(value) ? value : [value]
  if (!parts.every(part => typeof part === 'string')) return undefined
  return parts.flatMap(splitOutsideParentheses).map(toAllowedTool)
}

function splitOutsideParentheses(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\)?)?/g) ?? []
}

function toAllowedTool(text: string): AllowedTool {
  const [, tool = text, pattern] = /^([^(]+)\(([^)]*)\)?$/.exec(text) ?? []
  return pattern === undefined ? { tool } : { tool, pattern }
}
