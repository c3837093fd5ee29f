/** The latest entries under their names; the one that was not touched for longest gives way. */
export type Recent<Value> = {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  clear(): void
}

export function createRecent<Value>(most: number): Recent<Value> {
  const entries = new Map<string, Value>()
  return {
    get(name) {
      const value = entries.get(name)
      if (value !== undefined) touch(name, value)
      return value
    },
    set(name, value) {
      touch(name, value)
      if (entries.size > most) entries.delete(entries.keys().next().value!)
    },
    clear: () => entries.clear(),
  }

  function touch(name: string, value: Value): void {
    entries.delete(name)
    entries.set(name, value)
  }
}
