// The executor part of a declaration → an ExecutorSpec. The fields have been checked against their schema.
import { closeSync, openSync, readSync } from 'node:fs'
import { locateScript } from '../files/locate-script.ts'
import type {
  BinarySpec,
  ExecutorSpec,
  HttpBody,
  HttpSpec,
  Json,
  JsonStdin,
  ScriptSpec,
  Skill,
  Templated,
} from '../types.ts'
import { DeclarationError } from './declared-tool.ts'
import { languageOfName, languageOfShebang, readShebang } from './language.ts'

type Fields = Readonly<Record<string, Json>>

/** Reads `executor:` of tool-manifest.yaml. Throws `DeclarationError`. */
export function readExecutor(fields: Fields, skill: Skill): ExecutorSpec {
  switch (fields['type']) {
    case 'script':
      return readScript(fields, skill)
    case 'binary':
      return readBinary(fields, skill)
    case 'http':
      return readHttp(
        { ...fields, url: fields['url'] ?? fields['endpoint'] ?? '' },
        fields['headers_template'] ?? fields['headers'],
      )
    case 'mcp':
      return { type: 'mcp', server: String(fields['server']), tool: String(fields['tool']) }
    default: {
      const steps = fields['steps'] as readonly { id: string; tool: string; args?: Json }[]
      const result = fields['result'] === undefined ? {} : { result: fields['result'] }
      return { type: 'pipeline', steps: steps.map(step => ({ args: {}, ...step })), ...result }
    }
  }
}

/** Reads `backend:` of a tool in the frontmatter. Throws `DeclarationError`. */
export function readBackend(fields: Fields, skill: Skill, name: string): ExecutorSpec {
  switch (fields['type']) {
    case 'script':
      return inlineScript(String(fields['script']), String(fields['interpreter'] ?? 'bash'), { name, cwd: 'skill' })
    case 'binary':
      return readBinary(fields, skill)
    default:
      return readHttp(fields, fields['headers'])
  }
}

function readScript(fields: Fields, skill: Skill): ScriptSpec {
  const cwd = readCwd(fields)
  const entry = fields['entry'] ?? fields['script']
  if (fields['code'] !== undefined) {
    if (!fields['interpreter'])
      throw new DeclarationError(
        'Inline code needs an interpreter.',
        ['executor', 'code'],
        'Add `interpreter: python3`.',
      )
    const code = String(fields['code'])
    return {
      ...inlineScript(code, String(fields['interpreter']), { name: 'inline', cwd }),
      convention: readConvention(fields),
    }
  }
  if (entry === undefined)
    throw new DeclarationError('The script is missing.', ['executor'], 'Add `entry: scripts/<file>`.')
  return scriptFile(String(entry), skill, {
    cwd,
    convention: readConvention(fields),
    interpreter: fields['interpreter'],
  })
}

export type ScriptFileOptions = Pick<ScriptSpec, 'cwd' | 'convention'> & { readonly interpreter?: Json | undefined }

/** A file of the skill as a script. Throws `DeclarationError` when it may not run. */
export function scriptFile(
  entry: string,
  skill: Skill,
  { cwd, convention, interpreter }: ScriptFileOptions,
): ScriptSpec {
  const located = locateScript(skill.folder, entry)
  if (!located.ok)
    throw new DeclarationError(located.message, ['executor', 'entry'], 'Name a file inside the skill’s folder.')
  const shebang = typeof interpreter === 'string' ? interpreter.split(/\s+/) : readShebang(readStart(located.path))
  const language =
    typeof interpreter === 'string'
      ? languageOfShebang(shebang!)
      : (languageOfName(entry) ?? languageOfShebang(shebang ?? []))
  if (language === 'other' && !shebang)
    throw new DeclarationError(`It is not clear what runs ${entry}.`, ['executor', 'entry'], 'Add `interpreter:`.')
  return { type: 'script', file: entry, language, ...(shebang && { shebang }), cwd, convention }
}

function inlineScript(
  code: string,
  interpreter: string,
  { name, cwd }: { name: string; cwd: ScriptSpec['cwd'] },
): ScriptSpec {
  const shebang = interpreter.split(/\s+/)
  const language = languageOfShebang(shebang)
  return {
    type: 'script',
    file: `${name}.${language}`,
    inline: code,
    language,
    shebang,
    cwd,
    convention: { type: 'json-stdin' },
  }
}

function readBinary(fields: Fields, skill: Skill): BinarySpec {
  const { path, url, sha256 } = fields
  const convention = readConvention(fields)
  const rest = { type: 'binary' as const, cwd: readCwd(fields), convention }
  if (url !== undefined) {
    if (sha256 === undefined)
      throw new DeclarationError(
        'A program that is downloaded needs its checksum.',
        ['executor', 'url'],
        'Add `sha256:`.',
      )
    return { ...rest, program: { url: String(url), sha256: String(sha256) } }
  }
  if (path === undefined)
    throw new DeclarationError('The program is missing.', ['executor'], 'Add `path:`, or `url:` with `sha256:`.')
  const isOwn = String(path).includes('/') && !String(path).startsWith('/')
  const located = isOwn ? locateScript(skill.folder, String(path)) : undefined
  if (located && !located.ok)
    throw new DeclarationError(located.message, ['executor', 'path'], 'Name a file inside the skill’s folder.')
  return { ...rest, program: { path: String(path) } }
}

function readHttp(fields: Fields, headers: Json | undefined): HttpSpec {
  const url = String(fields['url'] ?? '')
  if (!/^(?:https?:\/\/|\$\{env:)/i.test(url))
    throw new DeclarationError(
      'url must begin with https:// or http://.',
      ['executor', 'url'],
      'Write the whole address.',
    )
  return {
    type: 'http',
    method: String(fields['method'] ?? 'GET').toUpperCase(),
    url,
    headers: (headers ?? {}) as Record<string, string>,
    body: readHttpBody(fields),
  }
}

function readHttpBody(fields: Fields): HttpBody {
  const given = ['body_template', 'form', 'multipart'].filter(key => fields[key] !== undefined)
  if (given.length > 1)
    throw new DeclarationError(
      `There are ${given.length} bodies: ${given.join(', ')}.`,
      ['executor'],
      'Keep one of them.',
    )
  if (fields['form'] !== undefined) return { as: 'form', fields: fields['form'] as Record<string, string> }
  if (fields['multipart'] !== undefined)
    return { as: 'multipart', fields: fields['multipart'] as Record<string, string> }
  return fields['body_template'] === undefined ? { as: 'arguments' } : { as: 'json', template: fields['body_template'] }
}

export function readConvention(fields: Fields): Templated | JsonStdin {
  const { args_template: argv, stdin_template: stdin } = fields
  if (argv === undefined && stdin === undefined) return { type: 'json-stdin' }
  const text = stdin === undefined ? {} : { stdin: String(stdin) }
  return { type: 'templates', argv: (argv ?? []) as string | readonly string[], ...text }
}

const readCwd = (fields: Fields): 'workspace' | 'skill' => (fields['cwd'] === 'workspace' ? 'workspace' : 'skill')

function readStart(path: string): string {
  const fd = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(256)
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0))
  } finally {
    closeSync(fd)
  }
}
