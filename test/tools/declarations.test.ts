import { expect, test } from 'vitest'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'

async function compile(files: Record<string, string>, more = '') {
  const runtime = await makeRuntime(makeFolder({ 's/SKILL.md': skillMd('s', more), ...files }))
  const report = await runtime.report()
  return {
    tools: (await runtime.getSkillTools('s')).map(tool => tool.name),
    said: report.diagnostics.map(({ severity, code, line, message, hint }) => [
      severity,
      code,
      line,
      `${message} ${hint}`,
    ]),
    report,
    runtime,
  }
}

const GOOD = '  - name: good\n    executor: { type: http, url: "https://a.example/" }\n'

test.each<[string, string, string, number, RegExp]>([
  ['no executor', '  - name: x\n', 'tool-invalid', 4, /executor is missing/],
  [
    'an unknown executor',
    '  - name: x\n    executor:\n      type: rocket\n',
    'tool-invalid',
    6,
    /type is not known\. Write one of: script, binary, http, mcp, pipeline/,
  ],
  [
    'an unknown key',
    '  - name: x\n    executor: { type: http, url: "https://a" }\n    desription: y\n',
    'manifest-unknown-key',
    6,
    /desription.*Did you mean description/,
  ],
  [
    'a key of another executor',
    '  - name: x\n    executor: { type: http, url: "https://a", entry: b }\n',
    'manifest-unknown-key',
    5,
    /entry/,
  ],
  [
    'a name that cannot be',
    '  - name: "a b"\n    executor: { type: http, url: "https://a" }\n',
    'tool-invalid',
    4,
    /name must match pattern/,
  ],
  ['a name that is taken', GOOD, 'tool-invalid', 4, /Another tool is called good/],
  [
    'a script that is not there',
    '  - name: x\n    executor: { type: script, entry: scripts/no.py }\n',
    'tool-invalid',
    5,
    /cannot be opened/,
  ],
  [
    'a script outside',
    '  - name: x\n    executor:\n      type: script\n      entry: ../../etc/passwd\n',
    'tool-invalid',
    7,
    /climbs out/,
  ],
  [
    'code without interpreter',
    '  - name: x\n    executor: { type: script, code: "1" }\n',
    'tool-invalid',
    5,
    /needs an interpreter/,
  ],
  [
    'a download without checksum',
    '  - name: x\n    executor: { type: binary, url: "https://a" }\n',
    'tool-invalid',
    5,
    /sha256/,
  ],
  [
    'a relative URL',
    '  - name: x\n    executor: { type: http, url: /a }\n',
    'tool-invalid',
    5,
    /must begin with https/,
  ],
  [
    'two bodies',
    '  - name: x\n    executor: { type: http, url: "https://a", form: {}, body_template: "{}" }\n',
    'tool-invalid',
    5,
    /2 bodies/,
  ],
  [
    'a template that is none',
    '  - name: x\n    executor: { type: http, url: "https://a/${" }\n',
    'tool-invalid',
    5,
    /not closed/,
  ],
  [
    'a template with a strange name',
    '  - name: x\n    input_schema: { type: object, properties: { a: {} } }\n    executor: { type: http, url: "https://a/${b}" }\n',
    'tool-invalid',
    6,
    /asks for \$\{b\}.*Use one of a/,
  ],
  [
    'a schema that is none',
    '  - name: x\n    input_schema: { type: object, properties: { a: { type: text } } }\n    executor: { type: http, url: "https://a" }\n',
    'tool-invalid',
    5,
    /no JSON Schema/,
  ],
  [
    'a schema that is no object',
    '  - name: x\n    input_schema: { type: string }\n    executor: { type: http, url: "https://a" }\n',
    'tool-invalid',
    5,
    /type must be object/,
  ],
  [
    'a retry that never ends',
    '  - name: x\n    executor: { type: http, url: "https://a" }\n    retry: { max_attempts: 1000 }\n',
    'tool-invalid',
    6,
    /max_attempts must be <= 10/,
  ],
  [
    'a pattern that would hang',
    '  - name: x\n    input_schema: { type: object, properties: { a: { type: string, pattern: "(a+)+\\\\1$" } } }\n    executor: { type: http, url: "https://a" }\n',
    'tool-invalid',
    5,
    /no JSON Schema/,
  ],
])('%s is one diagnostic with line and remedy, and its sibling lives', async (_, entry, code, line, words) => {
  const { tools, said } = await compile({
    's/tool-manifest.yaml': `version: 1\n# note\ntools:\n${entry}${entry === GOOD ? GOOD : GOOD}`,
  })
  const [first, ...others] = said
  expect([first?.[1], first?.[2]]).toEqual([code, entry === GOOD ? 6 : line])
  expect(first?.[3]).toMatch(words)
  expect(others).toEqual([])
  expect(tools).toContain('good')
})

test.each([
  ['tool-manifest.yml', `tools:\n${GOOD}`],
  [
    'tool-manifest.json',
    JSON.stringify({ tools: [{ name: 'good', executor: { type: 'http', url: 'https://a.example/' } }] }),
  ],
])('%s is read too', async (name, text) => {
  expect((await compile({ [`s/${name}`]: text })).tools).toEqual(['good'])
})

test('a manifest that is no YAML is told with its line', async () => {
  const { said } = await compile({ 's/tool-manifest.yaml': 'tools:\n  - name: x\n   bad: [\n' })
  expect(said).toMatchObject([
    ['error', 'manifest-unreadable', expect.any(Number), expect.stringContaining('Mend the YAML')],
  ])
})

test('a list of host tools in the frontmatter declares nothing', async () => {
  const { tools, said } = await compile({}, 'tools:\n  - Read\n  - Bash\n')
  expect([tools, said]).toEqual([[], []])
})

test('the manifest wins over the frontmatter, that over scripts/manifest.yml, that over the script', async () => {
  const { runtime, said } = await compile(
    {
      's/tool-manifest.yaml':
        'tools:\n  - name: a\n    description: from the manifest\n    executor: { type: http, url: "https://a" }\n',
      's/scripts/manifest.yml':
        'tools:\n  - { name: a, script: a.py }\n  - { name: b, script: b.py, description: from scripts }\n  - { name: c, script: c.py, description: from scripts }\n',
      's/scripts/a.py': 'print(1)\n',
      's/scripts/b.py': 'print(1)\n',
      's/scripts/c.py': '"""From the source."""\nprint(1)\n',
      's/scripts/d.py': '"""From the source."""\nprint(1)\n',
    },
    'tools:\n  - name: a\n    backend: { type: http, url: "https://b" }\n  - name: b\n    description: from the frontmatter\n    backend: { type: http, url: "https://b" }\n',
  )
  const tools = await runtime.getSkillTools('s')
  expect(tools.map(tool => [tool.name, tool.description])).toEqual([
    ['a', 'from the manifest'],
    ['b', 'from the frontmatter'],
    ['c', 'from scripts'],
    ['a-py', 'Execute a-py'],
    ['b-py', 'Execute b-py'],
    ['d', 'From the source.'],
  ])
  expect(said.map(one => one[1]).filter(code => code === 'tool-declared-twice')).toHaveLength(3)
})

test('all that a declaration may say is on the tool', async () => {
  const manifest = `tools:
  - name: x
    description: Does x.
    category: documents/pdf
    tags: [pdf, text]
    result_schema: { type: object }
    annotations: { readOnlyHint: true, title: X }
    roles: [teacher]
    timeout_sec: 5
    retry: { max_attempts: 2, backoff_ms: 7 }
    version: 2
    cost: { tokens: 3 }
    risk: low
    executor: { type: http, url: "\${env:BASE}/x", headers: { A: "\${env:KEY}" } }
`
  const runtime = await makeRuntime(makeFolder({ 's/SKILL.md': skillMd('s'), 's/tool-manifest.yaml': manifest }))
  const [tool] = await runtime.getSkillTools('s', { caller: { id: 'u', roles: ['teacher'] } })
  expect(tool).toMatchObject({
    category: 'documents/pdf',
    tags: ['pdf', 'text'],
    resultSchema: { type: 'object' },
    annotations: { readOnly: true, title: 'X' },
    roles: ['teacher'],
    timeoutMs: 5000,
    retry: { maxAttempts: 2, backoffMs: 7 },
    version: '2',
    cost: { tokens: 3 },
    risk: 'low',
    env: ['BASE', 'KEY'],
  })
})

test('mistakes around the tools are told with their lines, and what is wrong there does not count', async () => {
  const head = `version: 1
rutime: {}
runtime:
  default_timeout_sec: 99999999999
  default_retry:
    max_attempts: many
    backoff_ms: 5
tools:
`
  const { report, runtime, said } = await compile({ 's/tool-manifest.yaml': head + GOOD })
  expect(said).toEqual([
    ['warning', 'manifest-unknown-key', 2, 'Unknown key rutime. Did you mean runtime?'],
    ['error', 'manifest-wrong-value', 4, 'runtime.default_timeout_sec must be <= 86400. Mend the value.'],
    ['error', 'manifest-wrong-value', 6, 'runtime.default_retry.max_attempts must be integer. Mend the value.'],
  ])
  expect(report.counts.invalid).toBe(0)
  const [tool] = await runtime.getSkillTools('s')
  expect(tool).toMatchObject({ timeoutMs: 30_000, retry: { maxAttempts: 3, backoffMs: 5 } })
})

test('a time limit that no timer can hold makes its tool invalid', async () => {
  const { report } = await compile(
    {},
    'tools:\n  - name: x\n    backend: { type: http, url: "https://a", timeout_ms: 3000000000 }\n',
  )
  expect(report.tools).toContainEqual(expect.objectContaining({ id: 's.x', status: 'invalid' }))
})
