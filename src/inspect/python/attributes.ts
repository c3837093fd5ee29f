// `object.name`, for everything that has attributes.
import { parserAttribute } from './argparse-calls.ts'
import { callFunction } from './call.ts'
import type { Machine } from './machine.ts'
import { lookUp } from './scope.ts'
import { type ClassValue, RUNTIME, text, UNKNOWN, type Value } from './values.ts'

export function attributeOf(object: Value, name: string, machine: Machine): Value {
  switch (object.kind) {
    case 'external':
      return externalAttribute(object.path, name)
    case 'module': {
      const scope = object.scope()
      return (scope && lookUp(scope, name)) ?? UNKNOWN
    }
    case 'instance':
      return object.attributes.get(name) ?? bound(memberOf(object.of, name), object, machine) ?? UNKNOWN
    case 'class': {
      if (name === '__name__') return text(object.name)
      const member = memberOf(object, name)
      if (!member) return object.bases.every(base => base.kind === 'class') ? UNKNOWN : { kind: 'method', object, name }
      if (member.kind === 'function' && member.binding === 'class') return { ...member, self: object }
      return member
    }
    case 'super': {
      for (const base of object.of.bases) {
        const member = base.kind === 'class' ? memberOf(base, name) : undefined
        if (member) return bound(member, object.object, machine) ?? UNKNOWN
      }
      return { kind: 'method', object: object.object, name }
    }
    case 'enum-member':
      if (name === 'value') return object.value
      return name === 'name' ? text(object.name) : UNKNOWN
    case 'parser': {
      const own = object.attributes.get(name) ?? (object.of && bound(memberOf(object.of, name), object, machine))
      return own ?? parserAttribute(object, name) ?? { kind: 'method', object, name }
    }
    case 'function':
      return name === '__name__' ? text(object.name) : name === '__doc__' ? UNKNOWN : { kind: 'method', object, name }
    case 'runtime':
      // A method of it is still something of the place where the script runs.
      return RUNTIME
    case 'unknown':
      return UNKNOWN
    default:
      return { kind: 'method', object, name }
  }
}

/** A member of a class or of the classes it is made from. */
export function memberOf(of: ClassValue, name: string, depth = 0): Value | undefined {
  const own = of.members.get(name)
  if (own || depth > 10) return own
  for (const base of of.bases) {
    const inherited = base.kind === 'class' ? memberOf(base, name, depth + 1) : undefined
    if (inherited) return inherited
  }
  return undefined
}

function bound(member: Value | undefined, self: Value, machine: Machine): Value | undefined {
  if (member?.kind !== 'function' || member.binding === 'static') return member
  if (member.binding === 'property') {
    return callFunction({ ...member, self }, { positional: [], named: new Map(), open: false }, machine)
  }
  return { ...member, self }
}

export function externalAttribute(path: string, name: string): Value {
  const full = `${path}.${name}`
  if (RUN_TIME.has(full)) return RUNTIME
  if (full === 'argparse.SUPPRESS') return text('==SUPPRESS==')
  if (full === 'argparse.REMAINDER') return text('...')
  if (full === 'argparse.OPTIONAL') return text('?')
  if (full === 'argparse.ZERO_OR_MORE') return text('*')
  if (full === 'argparse.ONE_OR_MORE') return text('+')
  if (full === 'argparse.PARSER') return text('A...')
  if (full === 'string.ascii_lowercase') return text('abcdefghijklmnopqrstuvwxyz')
  if (full === 'os.sep') return text('/')
  if (full === 'sys.maxsize') return UNKNOWN
  return { kind: 'external', path: full }
}

const RUN_TIME = new Set([
  'sys.argv',
  'sys.platform',
  'sys.version_info',
  'sys.executable',
  'os.name',
  'sys.stdin',
  'sys.stdout',
  'sys.stderr',
])
