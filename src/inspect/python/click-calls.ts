// Calls on click itself.
import type { JsonSchema } from '../../types.ts'
import type { CliCommand, CliParameter } from './cli-model.ts'
import { clickType } from './click-type.ts'
import { docstring } from './description.ts'
import { evaluate, itemsOf } from './evaluate.ts'
import type { Arguments, Machine } from './machine.ts'
import { isStandardModule } from './standard-modules.ts'
import { type FunctionValue, isTrue, NONE, RUNTIME, text, truth, UNKNOWN, type Value } from './values.ts'

type Cli = Extract<Value, { kind: 'cli' }>

/** `click.<name>(...)`; undefined when it does not matter to the command line. */
export function callClick(name: string, args: Arguments, machine: Machine, at: number): Value | undefined {
  switch (name) {
    case 'command':
    case 'group':
      return decorating(args, (value, settings) => makeCommand(value, settings, name === 'group', machine, at))
    case 'option':
    case 'argument': {
      const parameter = declare(name, args, at)
      return decorator(value => attach(value, parameter))
    }
    case 'password_option':
      return decorator(value => attach(value, withDefaults('--password', { prompt: truth(true) }, args, at)))
    case 'confirmation_option':
      return decorator(value =>
        attach(value, withDefaults('--yes', { is_flag: truth(true), help: text('Confirm the action.') }, args, at)),
      )
    case 'version_option':
    case 'help_option':
      return args.positional[0]?.kind === 'function' ? args.positional[0] : decorator(value => value)
    case 'pass_context':
    case 'pass_obj':
      return args.positional[0] ?? UNKNOWN
    case 'make_pass_decorator':
      return decorator(value => value)
    case 'Group':
      return makeGroup(args, machine, at)
    case 'echo':
    case 'secho':
    case 'echo_via_pager':
      return NONE
    case 'confirm':
    case 'prompt':
    case 'getchar':
    case 'get_app_dir':
      return RUNTIME
    default:
      return callType(name, args, machine)
  }
}

function callType(name: string, args: Arguments, machine: Machine): Value | undefined {
  const argument = (index: number, key: string): Value => args.positional[index] ?? args.named.get(key) ?? NONE
  switch (name) {
    case 'Choice': {
      const choices = argument(0, 'choices')
      // Of an enum class click takes the names.
      const words = itemsOf(choices)?.map(item => (item.kind === 'enum-member' ? item.name : wordOf(item)))
      return words && !words.includes(undefined) ? typed({ type: 'string', enum: words as string[] }) : UNKNOWN
    }
    case 'IntRange':
    case 'FloatRange':
      return typed({ type: name === 'IntRange' ? 'integer' : 'number', ...bounds(argument, args) })
    case 'Path':
    case 'File':
    case 'DateTime':
      return typed({ type: 'string' })
    case 'Tuple': {
      const type = clickType(
        { kind: 'tuple', items: [...(itemsOf(argument(0, 'types')) ?? [])], born: 0 },
        NONE,
        machine,
      )
      return type ? { kind: 'cli', cli: { is: 'type', type } } : UNKNOWN
    }
    default:
      return undefined
  }
}

function typed(schema: JsonSchema): Value {
  return { kind: 'cli', cli: { is: 'type', type: { schema } } }
}

function wordOf(value: Value): string | undefined {
  return value.kind === 'str' ? value.value : undefined
}

function bounds(argument: (index: number, key: string) => Value, args: Arguments): JsonSchema {
  // What is clamped may be any number.
  if (args.named.has('clamp') || args.open) return {}
  const [min, max] = [argument(0, 'min'), argument(1, 'max')]
  const open = (key: string) => args.named.has(key)
  return {
    ...('value' in min && typeof min.value === 'number'
      ? { [open('min_open') ? 'exclusiveMinimum' : 'minimum']: min.value }
      : {}),
    ...('value' in max && typeof max.value === 'number'
      ? { [open('max_open') ? 'exclusiveMaximum' : 'maximum']: max.value }
      : {}),
  }
}

/** A method of a command or group. */
export function commandMethod(
  target: Cli,
  group: CliCommand,
  name: string,
  args: Arguments,
  machine: Machine,
  at: number,
): Value {
  switch (name) {
    case 'command':
    case 'group':
      return decorating(args, (value, settings) => {
        const made = makeCommand(value, settings, name === 'group', machine, at)
        return addCommand(group, made, undefined, machine, at)
      })
    case 'add_command':
      return addCommand(group, args.positional[0] ?? UNKNOWN, args.positional[1] ?? args.named.get('name'), machine, at)
    case 'result_callback':
    case 'resultcallback':
      return decorator(value => value)
    case 'add_typer':
      return NONE
    default:
      return target.cli.is === 'command' ? UNKNOWN : target
  }
}

function addCommand(group: CliCommand, made: Value, name: Value | undefined, machine: Machine, at: number): Value {
  const doubt = (message: string) => group.doubts.push({ message, at })
  if (made.kind !== 'cli' || made.cli.is !== 'command') {
    doubt('A command is added that could not be read.')
    return made
  }
  if (machine.branch !== group.born) doubt('A command is added only under a condition that could not be read.')
  const given = name === undefined || name.kind === 'none' ? made.cli.command.name : wordOf(name)
  if (given === undefined) doubt('The name of a command depends on the version of click, or could not be read.')
  else group.children?.push({ name: given, command: made.cli.command })
  return made
}

function makeGroup(args: Arguments, machine: Machine, at: number): Value {
  const name = args.positional[0] ?? args.named.get('name')
  const made = command({ ...(name ? { name } : {}), settings: args, isGroup: true, machine, at })
  const commands = args.named.get('commands') ?? args.positional[1]
  const group: Value = { kind: 'cli', cli: { is: 'command', command: made } }
  if (commands?.kind === 'dict' && !commands.open) {
    for (const [key, value] of commands.entries.values()) addCommand(made, value, key, machine, at)
  } else if (commands && itemsOf(commands)) {
    for (const value of itemsOf(commands) ?? []) addCommand(made, value, undefined, machine, at)
  } else if (commands) made.doubts.push({ message: 'The commands of a group could not be read.', at })
  return group
}

function makeCommand(value: Value, settings: Arguments, isGroup: boolean, machine: Machine, at: number): Value {
  if (value.kind !== 'function') return UNKNOWN
  const name = settings.positional[0] ?? settings.named.get('name')
  const made = command({ ...(name ? { name } : {}), callback: value, settings, isGroup, machine, at })
  return { kind: 'cli', cli: { is: 'command', command: made } }
}

type Making = {
  readonly name?: Value
  readonly callback?: FunctionValue
  readonly settings: Arguments
  readonly isGroup: boolean
  readonly machine: Machine
  readonly at: number
}

function command({ name, callback, settings, isGroup, machine, at }: Making): CliCommand {
  const setting = (key: string): Value => settings.named.get(key) ?? NONE
  const doubts: CliCommand['doubts'] = []
  const doubt = (message: string) => doubts.push({ message, at })
  if (settings.open) doubt('The settings of a command could not be read.')
  if (settings.named.has('cls'))
    doubt('The command has a class of its own, which may read the command line differently.')
  if (settings.named.has('params')) doubt('Parameters are given in a way that could not be read.')
  if (isTrue(setting('chain')) !== false) doubt('Several commands can follow each other.')
  const context = setting('context_settings')
  if (context.kind === 'dict' ? context.entries.has('sallow_extra_args') : context.kind !== 'none')
    doubt('More arguments than the declared ones are accepted.')
  for (const name of strangers(callback, machine)) doubt(`\`@${name}\` may add parameters of its own.`)
  if (callback?.scope.foreign && isGroup) doubt('The group is filled in another file.')
  const help = setting('help')
  const description = help.kind === 'str' ? help.value : callback && docOf(callback)
  return {
    born: machine.branch,
    at,
    name: name && name.kind !== 'none' ? wordOf(name) : callback && commandName(signatureOf(callback).name),
    ...(description ? { description: (description.split('\f')[0] ?? '').replaceAll('\b', '') } : {}),
    parameters: [...(callback?.declared ?? [])],
    ...(isGroup ? { children: [] } : {}),
    runsAlone: isTrue(setting('invoke_without_command')) === true,
    doubts,
  }
}

/** Decorators from libraries that we do not know. */
function strangers(callback: FunctionValue | undefined, machine: Machine): string[] {
  if (!callback || !('definition' in callback.body)) return []
  return callback.body.definition.decorators.flatMap(expression => {
    const value = evaluate(expression.kind === 'call' ? expression.callee : expression, callback.scope, machine)
    const path = value.kind === 'external' ? value.path : ''
    const isKnown = !path.includes('.') || isStandardModule(path) || /^(rich_)?click\./.test(path)
    return isKnown ? [] : [path]
  })
}

/** The function whose signature counts: a wrapper shows that of what it wraps. */
export function signatureOf(callback: FunctionValue): FunctionValue {
  let current = callback
  for (let depth = 0; current.wraps && depth < 10; depth++) current = current.wraps
  return current
}

/** Text of a function's docstring. */
export function docOf(callback: FunctionValue): string | undefined {
  const { body } = signatureOf(callback)
  return 'definition' in body ? docstring(body.definition.body()) : undefined
}

/** Since 8.2 click drops a `_cmd` from the end of a name. */
function commandName(name: string): string | undefined {
  return /_(command|cmd|group|grp)$/.test(name) ? undefined : name.toLowerCase().replaceAll('_', '-')
}

function declare(form: CliParameter['form'], args: Arguments, at: number): CliParameter {
  const names = args.positional.map(wordOf)
  const unread = args.open || names.includes(undefined) || args.named.has('cls')
  return {
    form,
    names: names.flatMap(name => name ?? []),
    settings: args.named,
    ...(unread ? { doubt: 'A parameter is declared in a way that could not be read.' } : {}),
    at,
  }
}

function withDefaults(name: string, settings: Record<string, Value>, args: Arguments, at: number): CliParameter {
  const declared = declare('option', args, at)
  return {
    ...declared,
    names: declared.names.length > 0 ? declared.names : [name],
    settings: new Map([...Object.entries({ ...settings, required: truth(true) }), ...args.named]),
  }
}

/** Decorators apply from the bottom up; click keeps the order in which they are written. */
function attach(value: Value, parameter: CliParameter): Value {
  if (value.kind === 'function') return { ...value, declared: [parameter, ...(value.declared ?? [])] }
  if (value.kind === 'cli' && value.cli.is === 'command') value.cli.command.parameters.push(parameter)
  return value
}

export function decorator(apply: (value: Value) => Value): Value {
  return { kind: 'cli', cli: { is: 'decorator', apply } }
}

/** With or without parentheses: `@group.command` and `@group.command("name")`. */
export function decorating(args: Arguments, apply: (value: Value, settings: Arguments) => Value): Value {
  const [first] = args.positional
  if (first?.kind === 'function') return apply(first, { positional: [], named: args.named, open: false })
  return decorator(value => apply(value, args))
}
