import type { ScriptParameter } from '../types.ts'

/** Gives a second parameter of the same name a number; the schema has room for one of each. */
export function withUniqueNames(parameters: readonly ScriptParameter[]): readonly ScriptParameter[] {
  const taken = new Set<string>()
  return parameters.map(parameter => {
    let name = parameter.name
    for (let count = 2; taken.has(name); count++) name = `${parameter.name}_${count}`
    taken.add(name)
    return name === parameter.name ? parameter : { ...parameter, name }
  })
}
