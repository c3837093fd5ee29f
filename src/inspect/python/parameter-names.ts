// Names of properties: what the script calls the value, made unique and acceptable to every provider.

type Named = { readonly dest: string; readonly flags: readonly string[] }

/** One name each. Arguments that share a `dest` are told apart by their flags; the first one has the first choice. */
export function uniqueNames(parameters: readonly Named[]): string[] {
  const counts = new Map<string, number>()
  for (const { dest } of parameters) counts.set(dest, (counts.get(dest) ?? 0) + 1)
  const taken = new Set<string>()
  return parameters.map(({ dest, flags }) => {
    const shared = (counts.get(dest) ?? 0) > 1
    const wanted = safe((shared && flags[0]?.replace(/^-+/, '').replaceAll('-', '_')) || dest)
    let name = wanted
    for (let index = 2; taken.has(name); index++) name = `${wanted}_${index}`
    taken.add(name)
    return name
  })
}

function safe(name: string): string {
  const cleaned = name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^[-.]+/, '')
  return cleaned.slice(0, 64) || 'value'
}
