import { yamlLibrary } from '../libraries.ts'

export type YamlDocument =
  | { readonly ok: true; readonly value: unknown; readonly lineOf: (path: readonly (string | number)[]) => number }
  | { readonly ok: false; readonly message: string; readonly line: number }

/** Reads YAML or JSON, and remembers where everything stands. `firstLine` is the line of the file where the text begins. */
export function readYaml(text: string, firstLine = 1): YamlDocument {
  const { isNode, LineCounter, parseDocument } = yamlLibrary()
  const lines = new LineCounter()
  try {
    const document = parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: lines, logLevel: 'silent' })
    const [error] = document.errors
    if (error) {
      const message = error.message.split(/ at line \d|\n/, 1)[0]!
      return { ok: false, message, line: firstLine - 1 + (error.linePos?.[0].line ?? 1) }
    }
    const value: unknown = document.toJS()
    return { ok: true, value, lineOf }

    /** Of the value at a path, or of the nearest thing around it that is there. */
    function lineOf(path: readonly (string | number)[]): number {
      for (let length = path.length; length > 0; length--) {
        const node = document.getIn(path.slice(0, length), true)
        if (isNode(node) && node.range) return firstLine - 1 + lines.linePos(node.range[0]).line
      }
      return firstLine
    }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error), line: firstLine }
  }
}
