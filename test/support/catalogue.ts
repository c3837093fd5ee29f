import type { Caller, HostTool, Runtime, RuntimeOptions } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from './folders.ts'

/** The catalogue that the examples of the protocol are about. */
const REFACTOR = `
version: 1
tools:
  - name: rename_symbol
    description: Renames a symbol project‑wide and updates references
    category: Coding/Refactoring
    tags: [refactor, rename]
    input_schema:
      type: object
      properties:
        project_root: { type: string }
        symbol: { type: string }
        new_name: { type: string }
        language: { type: string, enum: [ts, js, py, go, java] }
        dry_run: { type: boolean, default: true }
      required: [project_root, symbol, new_name]
    result_schema:
      type: object
      properties: { changed_files: { type: integer }, diff_preview: { type: string } }
      required: [changed_files]
    executor: { type: script, entry: scripts/rename.py }
  - name: extract_method
    description: Moves selected statements into a new method
    category: Coding/Refactoring
    tags: [refactor, extract]
    input_schema: { type: object, properties: { symbol: { type: string } } }
    executor: { type: script, entry: scripts/rename.py }
`
const RENAME = `import json, sys
args = json.load(sys.stdin)
print(json.dumps({"ok": True, "data": {"changed_files": 3, "diff_preview": args["symbol"] + " -> " + args["new_name"]}}))
`

const tool = (name: string, category: string, description: string, tags: readonly string[]) =>
  `  - { name: ${name}, description: "${description}", category: ${category}, tags: [${tags.join(', ')}], executor: { type: script, entry: scripts/run.sh } }\n`

const SKILLS = {
  storage:
    tool('put_object', 'Storage/Buckets', 'Uploads an object to a bucket', ['storage', 'upload']) +
    tool('make_bucket', 'Storage/Buckets', 'Creates an object storage bucket', ['storage', 'objects']),
  auth:
    tool('login', 'User/Auth', 'Logs a user in with OAuth', ['auth', 'oauth']) +
    tool('service_token', '[System/Identity, User/Auth]', 'Issues a credential for a service identity', [
      'auth',
      'credentials',
    ]),
  scenes: tool('render_scene', 'Rendering', 'Renders a scene to an image', ['render', 'image']),
  tables: tool('query_table', 'Data/Tables', 'Runs a query on a table of rows', ['data', 'sql']),
}

/** A runtime with the catalogue of the protocol's own examples; calls really run a script. */
export async function makeSeedRuntime(options: RuntimeOptions = {}): Promise<{ runtime: Runtime; folder: string }> {
  const hidden = 'disable-model-invocation: true\n'
  const more = Object.entries(SKILLS).flatMap(([name, tools]) => [
    [`${name}/SKILL.md`, skillMd(name, hidden)],
    [`${name}/tool-manifest.yaml`, `version: 1\ntools:\n${tools}`],
    [`${name}/scripts/run.sh`, 'echo done\n'],
  ])
  const folder = makeFolder({
    'refactor/SKILL.md': skillMd('refactor', hidden),
    'refactor/tool-manifest.yaml': REFACTOR,
    'refactor/scripts/rename.py': RENAME,
    ...Object.fromEntries(more),
  })
  return { runtime: await makeRuntime(folder, { categories: ABOUT, ...options }), folder }
}

const ABOUT = {
  'Storage/Buckets': { summary: 'Create and manage object storage buckets', tags: ['storage', 'objects'] },
  'User/Auth': { summary: 'Authentication and authorization workflows' },
  'System/Identity': { summary: 'Service identity and credential handling' },
}

const THINGS = [
  'invoice',
  'calendar',
  'picture',
  'song',
  'parcel',
  'contract',
  'recipe',
  'flight',
  'server',
  'branch',
  'ticket',
  'meeting',
  'video',
  'contact',
  'budget',
  'sensor',
  'map',
  'poll',
  'lesson',
  'patient',
]
const DEEDS = [
  'archive',
  'compare',
  'publish',
  'rotate',
  'translate',
  'merge',
  'split',
  'sign',
  'validate',
  'export',
  'import',
  'schedule',
  'rename',
  'compress',
  'encrypt',
  'rank',
  'label',
  'share',
  'restore',
  'print',
]
const PLACES = [
  'in the cloud',
  'on paper',
  'for teams',
  'by mail',
  'from a backup',
  'as a table',
  'with a password',
  'over the network',
  'in two columns',
  'without colours',
]

/** Tools with telling names and words, all different, always the same ones. */
export function manyTools(count: number): HostTool[] {
  return Array.from({ length: count }, (_, i) => {
    const [thing, deed, place] = [THINGS[i % 20]!, DEEDS[Math.floor(i / 20) % 20]!, PLACES[Math.floor(i / 400) % 10]!]
    return {
      name: `${deed}_${thing}_${i}`,
      description: `${deed[0]!.toUpperCase()}${deed.slice(1)}s a ${thing} ${place}, number ${i}.`,
      inputSchema: {
        type: 'object',
        properties: {
          [`${thing}_id`]: { type: 'string', description: `Which ${thing} to ${deed}.` },
          dry_run: { type: 'boolean', default: false, description: 'Only say what would be done.' },
        },
        required: [`${thing}_id`],
      },
      run: args => ({ done: deed, of: args[`${thing}_id`] ?? null }),
    }
  })
}

export async function runtimeOf(tools: readonly HostTool[], options: RuntimeOptions = {}): Promise<Runtime> {
  return makeRuntime(makeFolder(), { tools, audit: false, ...options })
}

export const withRoles = (...roles: string[]): { readonly caller: Caller } => ({ caller: { id: 'somebody', roles } })

/** The answer, when it is no error; a failed test otherwise. */
export function good<Answer extends object>(answer: Answer): Exclude<Answer, { error: unknown }> {
  if ('error' in answer) throw new Error(JSON.stringify(answer))
  return answer as Exclude<Answer, { error: unknown }>
}

/** The error of an answer; a failed test when there is none. */
export function bad(answer: object): {
  code: string
  message: string
  hints: string[]
  next_action: string
  tool?: object
} {
  if (!('error' in answer)) throw new Error(`no error: ${JSON.stringify(answer)}`)
  return answer.error as ReturnType<typeof bad>
}
