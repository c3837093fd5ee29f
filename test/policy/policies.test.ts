// Policies as data: extended, checked, assigned, and what a machine can enforce of them.
import { expect, test } from 'vitest'
import { extendPolicy, POLICIES, type Policy, type Skill, type Tool } from '../../src/index.ts'
import { checkAllowedTools, matches } from '../../src/policy/allowed-commands.ts'
import { createAssignment } from '../../src/policy/assign-policy.ts'
import { enforce } from '../../src/policy/enforce.ts'
import type { Verdict } from '../../src/policy/judge.ts'
import { type Machine, machineOf, withoutSandbox } from '../../src/policy/machine.ts'
import { toolPolicy } from '../../src/policy/tool-policy.ts'
import type { ScriptSpec } from '../../src/types.ts'

const FULL: Machine = {
  ...withoutSandbox('', ''),
  ...{ sandbox: 'bubblewrap', network: true, hosts: true, files: true, memory: 'total', processes: true },
  ...{ devices: true, fileSize: true, written: true, temp: true },
}
const NONE = withoutSandbox('bubblewrap is not installed', 'Install it: `apt install bubblewrap`.')

test('a policy of one’s own takes from the one it extends what it does not say', () => {
  const own = extendPolicy({ network: ['api.example.com:443'], limits: { timeSec: 5, memoryMb: null } }, 'research')
  expect(own).toMatchObject({ name: 'research', network: ['api.example.com:443'], write: [], changed: 'approve' })
  expect(own.limits).toEqual({ ...POLICIES.strict.limits, timeSec: 5, memoryMb: undefined })
  expect(() => Object.assign(own, { sandbox: false })).toThrow()
  expect(() => (POLICIES.strict.write as string[]).push('/')).toThrow()
  expect(extendPolicy({ extends: own, write: ['workspace'] })).toMatchObject({
    network: own.network,
    write: ['workspace'],
  })
})

test.each<[object, RegExp]>([
  [{ netwrok: 'none' }, /unknown key netwrok; did you mean network\?/],
  [{ limits: { memroyMb: 1 } }, /limits: unknown key memroyMb; did you mean memoryMb\?/],
  [{ limits: { timeSec: -1 } }, /limits\.timeSec must be a number above 0/],
  [{ network: ['http://x/'] }, /network must be none, all or a list of hosts.*"http:\/\/x\/" is no host/],
  [{ network: ['*'] }, /no host/],
  [{ write: ['data'] }, /write must be a list of skill, workspace, absolute paths/],
  [{ extends: 'stict' }, /there is no policy "stict"; did you mean strict\?/],
  [{ env: ['A B'] }, /env must be granted, or a list of names/],
  [{ sandbox: false }, /without a sandbox nothing can limit network, read, write, limits\.memoryMb/],
  [{ extends: 'permissive', network: 'none' }, /nothing can limit network: extend permissive/],
])('%j is refused with the key and what is right', (extension, message) => {
  expect(() => extendPolicy(extension)).toThrow(TypeError)
  expect(() => extendPolicy(extension)).toThrow(message)
})

const skill = { id: 's', source: 'mine', folder: '/skills/s', file: '/skills/s/SKILL.md' } as Skill
const tool = { id: 's.x', skill: 's' } as Tool
const record = { id: 's', folder: '/skills/s', hash: '', files: {}, time: '' }
const assignment = (policies: Parameters<typeof createAssignment>[0]['policies'], policy?: 'permissive') =>
  createAssignment({ policy, policies, sources: [{ name: 'mine', path: '/skills' }], env: ['COMMON'] })

test('the most specific word about a tool counts', () => {
  const all = [
    { source: '/skills', policy: 'balanced' },
    { skill: 's', policy: 'permissive' },
    { tool: 's.x', policy: 'strict' },
  ] as const
  const standing = { imported: true, trust: { ...record, policy: 'permissive' } } as const
  const names = [3, 2, 1, 0].map(count => assignment(all.slice(0, count))(tool, skill, standing).policy.name)
  expect(names).toEqual(['strict', 'permissive', 'balanced', 'permissive'])
  expect(assignment([])(tool, skill, { imported: false }).policy.name).toBe('balanced')
  expect(assignment(all)(tool, skill, standing).because).toBe('the rule for the tool s.x')
})

test('a default does not loosen what was imported; only trust or a rule does', () => {
  const assign = assignment([], 'permissive')
  expect(assign(tool, skill, { imported: true }).policy).toBe(POLICIES.strict)
  expect(assign(tool, skill, { imported: false }).policy).toBe(POLICIES.permissive)
  const trust = { ...record, grants: { network: ['a.example:443'], env: ['KEY'], write: ['workspace'] } }
  expect(assign(tool, skill, { imported: true, trust }).policy).toEqual({
    ...POLICIES.strict,
    name: 'strict+grants',
    network: ['a.example:443'],
    requests: ['a.example:443'],
    env: ['KEY'],
    write: ['workspace'],
  })
  const balanced = { ...trust, policy: 'balanced' as const }
  expect(assign(tool, skill, { imported: true, trust: balanced }).policy.env).toEqual(['COMMON', 'KEY'])
})

test('a rule for a source that does not exist is a mistake of the programmer', () => {
  expect(() => assignment([{ source: 'mien', policy: 'strict' }])).toThrow(/no source "mien"; did you mean mine\?/)
  expect(() => assignment([{ skill: 's', policy: 'strcit' as 'strict' }])).toThrow(/did you mean strict\?/)
})

test.each<[string, string, boolean]>([
  ['python scripts/*', 'python scripts/x.py', true],
  ['python3 scripts/x.py *', 'python3 scripts/x.py', true],
  ['scripts/x.py:*', 'scripts/x.py', true],
  ['scripts/x.py:*', 'scripts/x.pyc', false],
  ['{baseDir}/scripts/*', '{baseDir}/scripts/x.py', true],
  ['git *', 'python3 scripts/x.py', false],
  ['*', 'anything', true],
  ['python scripts/x.py', 'python scripts/x.py.bak', false],
  ['*.py', './scripts/x.py', true],
  ['*.sh', './scripts/x.py', false],
])('Bash(%s) and the command %s: %s', (pattern, command, allowed) => {
  expect(matches(pattern, command)).toBe(allowed)
})

test('a pattern of stars costs no more than its length', () => {
  const start = performance.now()
  expect(matches(`${'*a'.repeat(5000)}b`, 'a'.repeat(20_000))).toBe(false)
  expect(performance.now() - start).toBeLessThan(200)
})

test('allowed-tools binds by its patterns, by Bash alone, or not at all', () => {
  const script = { ...tool, executor: { type: 'script', file: 'scripts/x.py', language: 'python' } } as Tool
  const check = (allowedTools: Policy['allowedTools'], ...allowed: NonNullable<Skill['allowedTools']>) =>
    checkAllowedTools({ ...POLICIES.strict, allowedTools }, script, { ...skill, allowedTools: allowed })
  expect(check('patterns', { tool: 'Bash', pattern: 'git *' })).toMatchObject({ error: { code: 'TOOL_RESTRICTED' } })
  expect(check('patterns', { tool: 'Bash', pattern: 'python scripts/*' })).toBeUndefined()
  expect(check('patterns', { tool: 'Bash' })).toBeUndefined()
  expect(check('bash', { tool: 'Bash', pattern: 'git *' })).toBeUndefined()
  expect(check('bash', { tool: 'Read' })).toMatchObject({ error: { code: 'TOOL_RESTRICTED' } })
  expect(check('ignore', { tool: 'Read' })).toBeUndefined()
})

test('what a machine cannot enforce is an error or a stated downgrade, never silence', () => {
  expect(enforce(POLICIES.strict, NONE)).toMatchObject({
    ok: false,
    error: {
      code: 'POLICY_UNENFORCEABLE',
      message: expect.stringContaining(
        'no sandbox here (bubblewrap is not installed): network, files, memory, processes and disk space are not limited',
      ),
      hints: expect.arrayContaining([expect.stringContaining('apt install bubblewrap')]),
    },
  })
  expect(enforce(POLICIES.balanced, NONE)).toMatchObject({
    ok: true,
    confined: false,
    ranUnder: { sandbox: 'none', downgrades: [expect.stringContaining('no sandbox here')] },
  })
  expect(enforce(POLICIES.permissive, NONE)).toEqual({
    ok: true,
    confined: false,
    ranUnder: { policy: 'permissive', sandbox: 'none', start: 'cold' },
  })
  expect(enforce(POLICIES.strict, FULL)).toEqual({
    ok: true,
    confined: true,
    ranUnder: { policy: 'strict', sandbox: 'bubblewrap', start: 'cold' },
  })
})

test.each<[Partial<Machine>, string]>([
  [{ memory: 'none' }, 'memory is not limited'],
  [{ processes: false }, 'the number of processes is not limited'],
  [{ network: false }, 'the network cannot be cut off'],
  [{ files: false }, 'files cannot be kept from programs'],
  [{ devices: false }, 'device nodes such as /dev/null can be changed'],
  [{ written: false }, 'what is written in all is not limited'],
  [{ temp: false }, 'the size of /tmp is not limited'],
  [{ fileSize: false }, 'the size of files is not limited'],
])('a machine with %j says: %s', (lack, sentence) => {
  const machine = { ...FULL, ...lack }
  expect(enforce(POLICIES.balanced, machine)).toMatchObject({ ranUnder: { downgrades: [sentence] } })
  expect(enforce(POLICIES.strict, machine)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining(sentence) },
  })
})

test('hosts can be granted only where there is a proxy for them', () => {
  const policy = extendPolicy({ network: ['api.example.com'] })
  expect(enforce(policy, FULL).ok).toBe(true)
  expect(enforce(policy, { ...FULL, hosts: false })).toMatchObject({ ok: false })
})

test('what a sandbox was probed to hold is what policies are measured by', () => {
  const probed = machineOf({ kind: 'none', why: 'bwrap is not installed.', remedy: 'Install it.' })
  expect(enforce(POLICIES.strict, probed)).toMatchObject({ error: { hints: expect.arrayContaining(['Install it.']) } })
  const seatbelt = { kind: 'seatbelt', path: '/x', processes: false, memory: 'none', notes: ['less'] } as const
  expect(machineOf(seatbelt)).toMatchObject({ sandbox: 'seatbelt', processes: false, remedy: 'less' })
})

test.each<[string, Tool['executor'], boolean]>([
  ['a script', { type: 'script' } as ScriptSpec, true],
  ['the built-in bash', { type: 'builtin', name: 'bash' }, true],
  ['a built-in that starts nothing', { type: 'builtin', name: 'read' }, false],
])('without a sandbox %s is told of under strict as it will be called', (_, executor, refused) => {
  const tool = { id: 'x', executor } as Tool
  const verdict: Verdict = {
    policy: POLICIES.strict,
    because: '',
    imported: false,
    pin: { state: 'unpinned' },
    needsTrust: false,
  }
  const told = toolPolicy(tool, verdict, NONE)
  expect([told.refused, told.unenforceable.length > 0]).toEqual([refused, refused])
})
