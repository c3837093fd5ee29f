import type { CommandLine, Json, ParameterPassing } from '../../src/types.ts'

/**
 * The words that a convention means by some arguments. Positionals come first, unless `--` may stand before them: a script
 * that reads by position would take a flag for a missing word.
 */
export function toArgv(convention: CommandLine, args: { readonly [name: string]: Json }): string[] {
  const { command, parameters, dashes } = convention
  const given = parameters.filter(({ name }) => args[name] !== undefined)
  const flags = (level: number) =>
    given.filter(parameter => parameter.level === level).flatMap(({ name, pass }) => words(pass, args[name] as Json))
  const lead = command.flatMap((word, level) => [...flags(level), word])
  const positionals = given
    .filter(({ pass }) => pass.as === 'positional')
    .flatMap(({ name }) => texts(args[name] as Json))
  const rest = given.filter(({ pass }) => pass.as === 'rest').flatMap(({ name }) => texts(args[name] as Json))
  const options = flags(command.length)
  if (dashes !== 'terminator') return [...lead, ...positionals, ...options, ...rest]
  return [...lead, ...options, ...(positionals.length > 0 ? ['--', ...positionals] : []), ...rest]
}

function words(pass: ParameterPassing, value: Json): string[] {
  if (pass.as === 'switch') return value === pass.when ? [pass.flags[0] as string] : opposite(pass)
  if (pass.as === 'count') return new Array(value as number).fill(pass.flags[0])
  if (pass.as !== 'option') return []
  const flag = pass.flags[0] as string
  if (pass.bare !== undefined && value === pass.bare) return [flag]
  if (pass.list === 'spread') return [flag, ...texts(value)]
  return texts(value).flatMap(text =>
    pass.join === 'equals' ? [`${flag}=${text}`] : pass.join === 'attached' ? [flag + text] : [flag, text],
  )
}

function opposite(pass: { readonly opposite?: string }): string[] {
  return pass.opposite === undefined ? [] : [pass.opposite]
}

function texts(value: Json): string[] {
  return (Array.isArray(value) ? value : [value]).map(String)
}
