// A typer app as click commands: typer derives them from the signatures of functions, and so do we.
import { type Aliases, type Annotation, choicesOf, lastName, readAnnotation } from './annotation.ts'
import type { CliChild, CliCommand, CliDoubt, CliParameter, CliType, TyperApp, TyperEntry } from './cli-model.ts'
import { docOf, signatureOf } from './click-calls.ts'
import { clickType, several } from './click-type.ts'
import { describedParameters } from './docstring-parameters.ts'
import { evaluate } from './evaluate.ts'
import type { Arguments, Machine } from './machine.ts'
import type { Parameter } from './syntax.ts'
import { type FunctionValue, isTrue, NONE, RUNTIME, text, toJson, truth, UNKNOWN, type Value } from './values.ts'

type Context = { readonly machine: Machine; readonly aliases: Aliases }

const DEEPEST = 5

/** The command or group that an app stands for. */
export function typerCommand(app: TyperApp, context: Context): CliCommand {
  const [only] = app.commands
  const isSingle = app.commands.length === 1 && app.apps.length === 0 && !app.callback
  if (!only || !isSingle) return groupOf(app, context, 0)
  const command = entryCommand(only, context)
  return { ...command, doubts: [...app.doubts, ...command.doubts] }
}

function groupOf(app: TyperApp, context: Context, depth: number): CliCommand {
  const own = app.callback && entryCommand(app.callback, context)
  const doubts: CliDoubt[] = [...app.doubts, ...(own?.doubts ?? [])]
  const children: CliChild[] = []
  for (const entry of app.commands) {
    const command = entryCommand(entry, context)
    if (command.name !== undefined) children.push({ name: command.name, command })
    else doubts.push({ message: 'The name of a command could not be read.', at: entry.at })
  }
  for (const { app: inner, settings, at } of app.apps) {
    const name = given(settings, 'name') ?? given(inner.settings, 'name')
    // Without a name the commands of the inner app are commands of this one.
    if (name?.kind === 'str' && depth < DEEPEST)
      children.push({ name: name.value, command: groupOf(inner, context, depth + 1) })
    else doubts.push({ message: 'A group of commands could not be read.', at })
  }
  const help = given(app.settings, 'help')
  const description = help?.kind === 'str' ? help.value : own?.description
  const alone = [app.settings, app.callback?.settings].map(
    settings => settings && given(settings, 'invoke_without_command'),
  )
  return {
    born: app.born,
    at: app.at,
    name: undefined,
    ...(description ? { description } : {}),
    parameters: own?.parameters ?? [],
    children,
    runsAlone: alone.some(value => value && isTrue(value) === true),
    doubts,
  }
}

function given(settings: Arguments, name: string): Value | undefined {
  const value = settings.named.get(name)
  return value?.kind === 'none' ? undefined : value
}

function entryCommand({ callback, settings, at }: TyperEntry, context: Context): CliCommand {
  const signature = signatureOf(callback)
  const doubts: CliDoubt[] = []
  if (settings.open || settings.named.has('cls'))
    doubts.push({ message: 'A command could not be read as a whole.', at })
  const extra = given(settings, 'context_settings')
  if (extra && (extra.kind !== 'dict' || extra.entries.has('sallow_extra_args')))
    doubts.push({ message: 'More arguments than the declared ones are accepted.', at })
  const name = settings.positional[0] ?? given(settings, 'name')
  const help = given(settings, 'help')
  const doc = docOf(signature)
  const described = describedParameters(doc ?? '')
  const description = help?.kind === 'str' ? help.value : doc
  const parameters = signature.parameters.flatMap(parameter => {
    if (parameter.form === 'args' || parameter.form === 'kwargs') {
      doubts.push({ message: `\`*${parameter.name}\` is not known to typer.`, at: parameter.at })
      return []
    }
    return typerParameter(parameter, signature, described.get(parameter.name), context) ?? []
  })
  return {
    born: 0,
    at,
    name: name ? wordOf(name) : signature.name.toLowerCase().replaceAll('_', '-'),
    ...(description ? { description: (description.split('\f')[0] ?? '').replaceAll('\b', '') } : {}),
    parameters,
    runsAlone: false,
    doubts,
  }
}

function typerParameter(
  parameter: Parameter,
  { scope }: FunctionValue,
  described: string | undefined,
  context: Context,
): CliParameter | undefined {
  const annotation = parameter.annotation
    ? readAnnotation(parameter.annotation, { scope, ...context })
    : { ...ANY_TEXT, list: false }
  if (isContext(annotation)) return undefined
  const fallback = parameter.fallback && evaluate(parameter.fallback, scope, context.machine)
  const info = [...annotation.metadata, fallback].find(value => value?.kind === 'cli' && value.cli.is === 'info')
  const declared = info?.kind === 'cli' && info.cli.is === 'info' ? info.cli : undefined
  const inAnnotation = declared !== undefined && info !== fallback
  const args = declared?.args
  const positional = args?.positional ?? []
  const initial = declared && !inAnnotation ? (positional[0] ?? args?.named.get('default')) : fallback
  const factory = args?.named.get('default_factory')
  const missing = !factory && (initial === undefined || (initial.kind === 'external' && initial.path === 'Ellipsis'))
  const form = declared?.form ?? (fallback === undefined ? 'argument' : 'option')
  const names = positional.slice(inAnnotation ? 0 : 1).map(wordOf)
  const isFlag = form === 'option' && isBoolean(annotation) && !annotation.list
  const flag = parameter.name.replaceAll('_', '-')
  const unread = args?.open || names.includes(undefined)
  // Typer lowers the letters of a flag, or does not, according to its version.
  const shaky = form === 'option' && names.length === 0 && flag !== flag.toLowerCase()
  const settings = new Map<string, Value>([
    ...(described ? [['help', text(described)] as const] : []),
    ...(args?.named ?? []),
  ])
  const type = typerType(annotation, args, context.machine)
  settings.set('type', isFlag ? NONE : type ? { kind: 'cli', cli: { is: 'type', type } } : UNKNOWN)
  settings.set('default', missing ? NONE : factory ? RUNTIME : (initial ?? NONE))
  settings.set('required', truth(missing))
  if (isFlag) {
    settings.set('is_flag', truth(true))
    settings.set('may_be_unset', truth(true))
  }
  if (annotation.list) settings.set(form === 'option' ? 'multiple' : 'nargs', form === 'option' ? truth(true) : ALL)
  return {
    form,
    names:
      form === 'argument'
        ? [parameter.name]
        : [
            parameter.name,
            ...(names.length > 0
              ? names.flatMap(name => name ?? [])
              : [isFlag ? `--${flag}/--no-${flag}` : `--${flag}`]),
          ],
    settings,
    ...(unread || shaky ? { doubt: `\`${parameter.name}\` is declared in a way that could not be read.` } : {}),
    at: declared && !scope.foreign ? declared.at : parameter.at,
  }
}

const ALL: Value = { kind: 'int', value: -1 }
const ANY_TEXT: Annotation = {
  base: { value: { kind: 'external', path: 'str' } },
  list: false,
  optional: false,
  metadata: [],
}

function typerType(annotation: Annotation, args: Arguments | undefined, machine: Machine): CliType | undefined {
  const own = args?.named.get('click_type')
  if (own) return clickType(own, NONE, machine)
  if (args?.named.has('parser')) return { schema: { type: 'string' } }
  if (annotation.tuple) {
    const types = annotation.tuple.map(part => typerType(part, undefined, machine))
    return types.includes(undefined) ? undefined : several(types as CliType[])
  }
  const choices = choicesOf(annotation.base)
  if (choices) {
    const words = choices.map(toJson)
    return words.every(word => typeof word === 'string') ? { schema: { type: 'string', enum: words } } : undefined
  }
  const { base } = annotation
  if (typeof base === 'string' || !('value' in base) || base.value.kind === 'class') return undefined
  const type = clickType(base.value, NONE, machine)
  const kind = type?.schema['type']
  if (!type || (kind !== 'integer' && kind !== 'number') || args?.named.has('clamp')) return type
  const [minimum, maximum] = ['min', 'max'].map(name => toJson(args?.named.get(name) ?? NONE) ?? null)
  return {
    ...type,
    schema: {
      ...type.schema,
      ...(typeof minimum === 'number' ? { minimum } : {}),
      ...(typeof maximum === 'number' ? { maximum } : {}),
    },
  }
}

function isContext({ base }: Annotation): boolean {
  const value = typeof base === 'object' && 'value' in base ? base.value : undefined
  return value?.kind === 'external' && ['Context', 'CallbackParam', 'Parameter'].includes(lastName(value.path))
}

function isBoolean({ base }: Annotation): boolean {
  return typeof base === 'object' && 'value' in base && base.value.kind === 'external' && base.value.path === 'bool'
}

function wordOf(value: Value): string | undefined {
  return value.kind === 'str' ? value.value : undefined
}
