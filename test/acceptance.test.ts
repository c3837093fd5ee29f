// The acceptance criteria of script tools, each under its own name.
import { expect, test } from 'vitest'
import { ScriptExecutionError, SkillInvocationError } from '../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from './support/folders.ts'

test('AC-1: two scripts are two tools, a text file is none', async () => {
  const runtime = await makeRuntime(
    makeFolder({
      'my-skill/SKILL.md': skillMd('my-skill'),
      'my-skill/scripts/tool1.py': 'print(1)\n',
      'my-skill/scripts/tool2.sh': 'echo 2\n',
      'my-skill/scripts/helper.txt': 'help\n',
    }),
  )
  expect((await runtime.getSkillTools('my-skill')).map(tool => tool.name)).toEqual(['tool1', 'tool2'])
})

test('AC-2: the description comes from the docstring of main', async () => {
  const script = 'def main(input_path: str):\n    """Process a file and return results."""\n    ...\n'
  const runtime = await makeRuntime(makeFolder({ 'a/SKILL.md': skillMd('a'), 'a/scripts/process.py': script }))
  expect((await runtime.getSkillTools('a'))[0]?.description).toBe('Process a file and return results.')
})

test('AC-3: a tool invoked with "World" returns "Hello, World!"', async () => {
  const script = 'import sys\nprint(f"Hello, {sys.argv[1]}!")\n'
  const runtime = await makeRuntime(makeFolder({ 'a/SKILL.md': skillMd('a'), 'a/scripts/greet.py': script }))
  expect(await runtime.getTool('a.greet').invoke({ arguments: 'World' })).toBe('Hello, World!')
})

test('AC-4: a script that fails raises SkillInvocationError with its stderr', async () => {
  const script = 'import sys\nsys.exit("the file is empty")\n'
  const runtime = await makeRuntime(makeFolder({ 'a/SKILL.md': skillMd('a'), 'a/scripts/fail.py': script }))
  const error = await runtime
    .getTool('a.fail')
    .invoke()
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SkillInvocationError)
  expect(error).toBeInstanceOf(ScriptExecutionError)
  expect(error).toMatchObject({ code: 'SCRIPT_FAILED', exitCode: 1, stderr: 'the file is empty' })
  expect((error as Error).message).toContain('the file is empty')
})

test('AC-5: invokeSkill returns the same string whether the skill has scripts or not', async () => {
  const body = { 'a/SKILL.md': skillMd('a', '', 'Do $ARGUMENTS.\n') }
  const without = await makeRuntime(makeFolder(body))
  const withScripts = await makeRuntime(makeFolder({ ...body, 'a/scripts/x.py': 'print(1)\n' }))
  const clean = (text: string) => text.replace(/^.*\n/, '')
  const text = await withScripts.invokeSkill('a', 'it')
  expect(clean(text)).toBe(clean(await without.invokeSkill('a', 'it')))
  expect(clean(text)).toBe('\nDo it.')
})
