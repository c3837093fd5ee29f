// What a docstring says of each parameter, in the three customary forms.

/** From an `Args:` section (Google), a `Parameters` section (NumPy) or `:param name:` (Sphinx). */
export function describedParameters(doc: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const lines = doc.split('\n')
  let section: { readonly indent: number; items?: number } | undefined
  let open: { readonly name: string; readonly indent: number } | undefined
  for (const [index, line] of lines.entries()) {
    const content = line.trim()
    const indent = line.search(/\S/)
    const field = /^:param\s+(?:[\w[\], .|]+\s)?\*{0,2}(\w+)\s*:\s*(.*)$/.exec(content)
    if (field) {
      open = begin(field[1], field[2], indent)
      continue
    }
    if (HEADING.test(content) || (/^parameters$/i.test(content) && /^-{3,}$/.test(lines[index + 1]?.trim() ?? ''))) {
      section = { indent }
      open = undefined
      continue
    }
    if (content === '' || /^-{3,}$/.test(content)) continue
    if (open && indent > open.indent) {
      found.set(open.name, `${found.get(open.name) ?? ''} ${content}`.trim())
      continue
    }
    open = undefined
    if (!section) continue
    section.items ??= indent
    const isNumpy = section.items === section.indent
    const item = isNumpy ? NUMPY_ITEM.exec(content) : GOOGLE_ITEM.exec(content)
    if (indent < section.indent || indent !== section.items || !item) section = undefined
    else open = begin(item[1], isNumpy ? '' : item[2], indent)
  }
  return found

  function begin(name = '', description = '', indent = 0): { name: string; indent: number } {
    found.set(name, description.trim())
    return { name, indent }
  }
}

const HEADING = /^(args|arguments|parameters|params|keyword args|keyword arguments):$/i
const GOOGLE_ITEM = /^\*{0,2}(\w+)\s*(?:\([^)]*\)\s*)?(?::|\s[-–—]\s)\s*(.*)$/
const NUMPY_ITEM = /^\*{0,2}(\w+)\s*(?::.*)?$/
