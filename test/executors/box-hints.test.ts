// A script that runs into its box: the error says which rule it was and what to type.
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'

const SCRIPTS = {
  's/SKILL.md': skillMd('s'),
  's/scripts/python.py': 'open("out.txt", "w")',
  's/scripts/shell.sh': 'echo 1 > out.txt',
  's/scripts/node.js': 'require("node:fs").writeFileSync("out.txt", "")',
  's/scripts/skill.sh': 'echo 1 > "$SKILL_DIR/out.txt"',
  's/scripts/other.sh': 'echo wrong input >&2; exit 2',
  's/scripts/told.sh': `echo '{"ok":false,"error":"out.txt: Read-only file system"}'`,
}

async function hintsOf(policy: 'strict' | 'balanced', name: string): Promise<readonly string[]> {
  const runtime = await makeRuntime(makeFolder(SCRIPTS), { policy })
  const result = await runtime.call({ toolId: `s.${name}` })
  return result.ok ? ['it ran'] : result.error.hints
}

test.each(['python', 'shell', 'node', 'told'])('strict: what %s could not write is told with the rule', async name => {
  expect(await hintsOf('strict', name)).toEqual([
    expect.stringMatching(/^The policy strict lets it write only: \/tmp\. .*`skillwright trust s --write workspace`/),
  ])
})

test('balanced: a script that writes to its own skill is told where it may write', async () => {
  expect(await hintsOf('balanced', 'shell')).toEqual(['it ran'])
  expect(await hintsOf('balanced', 'skill')).toEqual([
    expect.stringMatching(/^The policy balanced lets it write only: workspace, \/tmp\. .*--write <path>/),
  ])
})

test('a file that the box does not show is told apart from one that does not exist', async () => {
  const runtime = await makeRuntime(makeFolder({ ...SCRIPTS, 's/scripts/show.sh': 'cat "$1"' }))
  const hintsFor = async (file: string) => {
    const result = await runtime.call({ toolId: 's.show', commandLine: [file] })
    return result.ok ? ['it ran'] : result.error.hints
  }
  const elsewhere = join(makeFolder({ 'secret.txt': 'secret' }), 'secret.txt')
  const told = expect.stringMatching(
    /^The policy balanced shows it only: skill, workspace\. .*lies elsewhere: copy it to the workspace/,
  )
  expect(await hintsFor(elsewhere)).toEqual([told])
  expect(await hintsFor('not-there.txt')).toEqual([])
})

test.each([
  ['sh', 'echo wrong > /dev/stderr; exit 2'],
  ['py', 'open("/dev/stdout", "w")'],
  ['js', 'require("node:fs").writeFileSync("/dev/stderr", "wrong")'],
])('%s: a script that opens its own output by a path is told what works', async (extension, script) => {
  const runtime = await makeRuntime(makeFolder({ ...SCRIPTS, [`s/scripts/opens.${extension}`]: script }))
  const result = await runtime.call({ toolId: 's.opens' })
  expect(result).toMatchObject({ ok: false, error: { hints: [expect.stringContaining('`>&2` instead')] } })
})

test('a failure of another kind gets no such hint', async () => {
  expect(await hintsOf('strict', 'other')).toEqual([])
})

test('a call that is cancelled before its program starts is not said to have run without a sandbox', async () => {
  const runtime = await makeRuntime(makeFolder(SCRIPTS), { policy: 'strict' })
  const result = await runtime.call({ toolId: 's.shell', signal: AbortSignal.abort() })
  expect(result).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
  expect(result.meta.ranUnder?.sandbox).not.toBe('none')
})
