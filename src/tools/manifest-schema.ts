// What a declaration of tools may hold. These schemas are published under schemas/ for editors, and are what the readers
// check with: `npm run build && node scripts/write-tables.mjs` writes them out.
import type { JsonSchema } from '../types.ts'

const text = (description: string) => ({ type: 'string', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const seconds = (description: string) => ({ type: 'number', exclusiveMinimum: 0, maximum: 86_400, description })

const ARGUMENTS = {
  description:
    'Command line with `${name}` placeholders: one text, split like a shell does before anything is filled in, or a list.',
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
}
const HEADERS = { type: 'object', additionalProperties: { type: 'string' }, description: 'Headers with placeholders.' }
const FIELDS = { type: 'object', additionalProperties: { type: 'string' } }
const CWD = {
  enum: ['workspace', 'skill'],
  description: 'Where it runs: in the user’s workspace, or in the skill’s folder (default).',
}
const STDIN = text(
  'Text for stdin with placeholders. Without it and without `args_template`, all arguments are JSON on stdin.',
)
const SHA256 = { type: 'string', pattern: '^[0-9a-fA-F]{64}$', description: 'Checksum of the download.' }
const METHOD = {
  enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'get', 'head', 'post', 'put', 'patch', 'delete'],
  description: 'Default: GET.',
}

/** Which program a binary tool runs. */
const PROGRAM = {
  path: text('An installed program, or a file of the skill (with `/`).'),
  url: text('Where to download it from, once; needs `sha256`.'),
  sha256: SHA256,
}

const MILLISECONDS = { type: 'integer', minimum: 1, maximum: 86_400_000 }

const RETRY = {
  type: 'object',
  properties: {
    max_attempts: {
      type: 'integer',
      minimum: 1,
      maximum: 10,
      description: 'How often to try, the first time included.',
    },
    backoff_ms: {
      type: 'integer',
      minimum: 0,
      maximum: 60_000,
      description: 'Wait before the second try; doubles each time.',
    },
  },
  additionalProperties: false,
}

const ANNOTATIONS = {
  type: 'object',
  properties: {
    title: text('Name for people.'),
    readOnlyHint: { type: 'boolean', description: 'Changes nothing.' },
    destructiveHint: { type: 'boolean', description: 'May destroy something.' },
    idempotentHint: { type: 'boolean', description: 'A second call with the same arguments changes nothing more.' },
    openWorldHint: { type: 'boolean', description: 'Talks to the world outside.' },
  },
  additionalProperties: false,
}

const INPUT_SCHEMA = { type: 'object', description: 'JSON Schema (2020-12) of the arguments; an object.' }

const HTTP = {
  url: text('Address with placeholders; values are encoded.'),
  method: METHOD,
  body_template: {
    description: 'Body: JSON text, or an object, with placeholders. Without it the arguments are sent.',
  },
  form: { ...FIELDS, description: 'Body as an HTML form.' },
  multipart: { ...FIELDS, description: 'Body as multipart; `@${path}` uploads that file of the workspace.' },
}

const ENV = {
  type: 'array',
  maxItems: 100,
  description: 'Names of variables of the host that its programs get in their environment, when the host grants them.',
  items: {
    type: ['string', 'object'],
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    properties: {
      name: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
      optional: { type: 'boolean', description: 'True: it runs without, too. Default: false.' },
      description: text('What it is for and where to get it, for the user.'),
    },
    required: ['name'],
    additionalProperties: false,
  },
}

/** One branch for each executor, chosen by `type`. */
function branches(all: Readonly<Record<string, { properties: object; required?: readonly string[] }>>): JsonSchema {
  return {
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: Object.entries(all).map(([type, { properties, required = [] }]) => ({
      type: 'object',
      properties: { type: { const: type }, ...properties },
      required: ['type', ...required],
      additionalProperties: false,
    })),
  } as unknown as JsonSchema
}

const EXECUTOR = branches({
  script: {
    properties: {
      entry: text('The script, relative to the skill’s folder.'),
      script: text('Another name for `entry`.'),
      code: text('The code itself, instead of a file; needs `interpreter`.'),
      interpreter: text('Program that runs it, such as python3; by default found by extension and `#!` line.'),
      args_template: ARGUMENTS,
      stdin_template: STDIN,
      cwd: CWD,
    },
  },
  binary: {
    properties: {
      ...PROGRAM,
      args_template: ARGUMENTS,
      stdin_template: STDIN,
      cwd: CWD,
    },
  },
  http: {
    properties: { ...HTTP, endpoint: text('Another name for `url`.'), headers_template: HEADERS, headers: HEADERS },
  },
  mcp: {
    properties: { server: text('Name of a configured MCP server.'), tool: text('Name of its tool.') },
    required: ['server', 'tool'],
  },
  pipeline: {
    properties: {
      steps: {
        type: 'array',
        minItems: 1,
        maxItems: 50,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]*$', description: 'Name for `${steps.<id>.data}`.' },
            tool: text('A tool of this skill, or an id such as `other-skill.tool`.'),
            args: { description: 'Arguments with placeholders.' },
          },
          required: ['id', 'tool'],
          additionalProperties: false,
        },
      },
      result: { description: 'Template of the result; by default what the last step gives.' },
    },
    required: ['steps'],
  },
})

const BACKEND = branches({
  script: {
    properties: {
      interpreter: text('Program that runs the code, such as python3.'),
      script: text('The code.'),
      timeout_ms: MILLISECONDS,
    },
    required: ['script'],
  },
  binary: {
    properties: {
      ...PROGRAM,
      args_template: ARGUMENTS,
      timeout_ms: MILLISECONDS,
    },
  },
  http: {
    properties: { ...HTTP, headers: HEADERS, timeout_ms: MILLISECONDS },
    required: ['url'],
  },
})

const ABOUT = {
  name: { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,64}$', description: 'Name of the tool, unique in the skill.' },
  description: text('What it does and when to use it, for the model.'),
  category: {
    description: 'Where it stands in the catalogue: a path such as `documents/pdf`, or a list of such paths.',
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  },
  tags: texts('Words to find it by.'),
  result_schema: { type: 'object', description: 'JSON Schema of the result.' },
  annotations: ANNOTATIONS,
  env: ENV,
  roles: texts('Only callers with one of these roles may use it.'),
  timeout_sec: seconds('Time limit of a call.'),
  retry: RETRY,
  version: { type: ['string', 'number'], description: 'Version of the tool.' },
  cost: { description: 'What a call costs, in your own terms.' },
  risk: { description: 'What can go wrong, in your own terms.' },
}

/** One entry of `tools` in tool-manifest.yaml. */
export const MANIFEST_TOOL: JsonSchema = {
  type: 'object',
  properties: { ...ABOUT, input_schema: INPUT_SCHEMA, parameters: INPUT_SCHEMA, executor: EXECUTOR },
  required: ['name', 'executor'],
  additionalProperties: false,
}

/** One entry of `tools` in the frontmatter of SKILL.md. */
export const FRONTMATTER_TOOL: JsonSchema = {
  type: 'object',
  properties: { ...ABOUT, parameters: INPUT_SCHEMA, input_schema: INPUT_SCHEMA, backend: BACKEND },
  required: ['name', 'backend'],
  additionalProperties: false,
}

/** One entry of `tools` in scripts/manifest.yml. */
export const SCRIPTS_MANIFEST_TOOL: JsonSchema = {
  type: 'object',
  properties: {
    ...ABOUT,
    script: text('File name, relative to scripts/.'),
    parameters: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1 },
          type: {
            enum: ['string', 'integer', 'number', 'boolean', 'array', 'object'],
            description: 'Default: string.',
          },
          description: { type: 'string' },
          required: { type: 'boolean', description: 'Default: true, unless there is a default.' },
          default: {},
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
    args_template: ARGUMENTS,
    stdin_template: STDIN,
    cwd: CWD,
  },
  required: ['name', 'script'],
  additionalProperties: false,
}

const MANIFEST_HEAD = {
  version: { type: ['string', 'number'], description: 'Version of the format: 1.' },
  runtime: {
    type: 'object',
    properties: { default_timeout_sec: seconds('Time limit of tools that set none.'), default_retry: RETRY },
    additionalProperties: false,
  },
  env: { ...ENV, description: 'Like `env` of a tool, for all scripts and programs of the skill.' },
}

/** What stands around the tools of tool-manifest.yaml. */
export const MANIFEST: JsonSchema = {
  type: 'object',
  properties: { ...MANIFEST_HEAD, tools: {} },
  additionalProperties: false,
}

/** What stands around the tools of scripts/manifest.yml. */
export const SCRIPTS_MANIFEST: JsonSchema = { type: 'object', properties: { tools: {} }, additionalProperties: false }

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** File under schemas/ → the schema of the whole format. */
export const PUBLISHED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'tool-manifest.schema.json': {
    $schema: DRAFT,
    title: 'tool-manifest.yaml',
    type: 'object',
    properties: { ...MANIFEST_HEAD, tools: { type: 'array', items: MANIFEST_TOOL } },
    required: ['tools'],
    additionalProperties: false,
  },
  'scripts-manifest.schema.json': {
    $schema: DRAFT,
    title: 'scripts/manifest.yml',
    type: 'object',
    properties: { tools: { type: 'array', items: SCRIPTS_MANIFEST_TOOL } },
    required: ['tools'],
    additionalProperties: false,
  },
  'skill-frontmatter-tools.schema.json': {
    $schema: DRAFT,
    title: 'tools: in the frontmatter of SKILL.md',
    type: 'array',
    items: FRONTMATTER_TOOL,
  },
}
