// The box that a policy makes of the folders of a call, and what a real sandbox does with it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { extendPolicy, POLICIES, type Policy } from '../../src/index.ts'
import { confine, type Places } from '../../src/policy/confine.ts'
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts'
import { wrap } from '../../src/sandbox/wrap.ts'
import { makeFolder } from '../support/folders.ts'
import { sandboxedTest as test } from '../support/sandbox.ts'

/** A workspace with skills in it, state, configuration and a repository. */
function layout(more: Partial<Places> = {}) {
  const workspace = makeFolder({
    'data.txt': 'data',
    'skills/own/SKILL.md': 'own',
    'skills/other/secret.txt': 'secret of another skill',
    'skillwright.yaml': 'policy: strict\n',
    '.git/config': '[core]\n',
    '.git/hooks/keep': '',
    '.skillwright/audit.jsonl': '{}\n',
  })
  const at = (path: string) => join(workspace, path)
  const places: Places = {
    workspace,
    skill: at('skills/own'),
    sources: [at('skills'), at('.agents/skills')],
    skills: [at('skills/own'), at('skills/other')],
    own: [at('.skillwright'), at('.skillwright/audit.jsonl')],
    ...more,
  }
  return { workspace, at, places }
}

async function runInside(policy: Policy, places: Places, script: string): Promise<string> {
  const probe = await probeSandbox()
  if (probe.kind === 'none') throw new Error(`this test needs a sandbox: ${probe.why}`)
  const program = { command: '/bin/sh', args: ['-c', script], cwd: places.workspace, env: { PATH: '/usr/bin:/bin' } }
  const wrapped = wrap(probe, program, confine(policy, places).confinement)
  try {
    const ran = spawnSync(wrapped.command, wrapped.args, {
      encoding: 'utf8',
      env: { ...program.env, ...wrapped.env },
      stdio: ['ignore', 'pipe', 'pipe', ...wrapped.descriptors],
    })
    return ran.stdout + ran.stderr
  } finally {
    wrapped.dispose()
  }
}

test('other skills are hidden with their whole source, and the own one stays', () => {
  const { at, places } = layout()
  const { confinement, gaps } = confine(POLICIES.balanced, places)
  expect(confinement).toMatchObject({ hide: [at('skills')], read: [at('skills/own')], network: 'none' })
  expect(confinement.limits).toEqual({ memoryMb: 2048, processes: 256, fileMb: 1024, writtenMb: 4096, tempMb: 512 })
  expect(gaps).toEqual([])
})

test('what others obey, our own files and sources that do not exist yet are protected', () => {
  const { workspace, at, places } = layout()
  const { protect, write } = confine(POLICIES.balanced, places).confinement
  expect(protect.toSorted()).toEqual(['.agents', '.git', '.skillwright', 'skillwright.yaml'].map(at).toSorted())
  expect(write).toEqual([workspace])
})

test('what others obey can be granted by its own path', () => {
  const { at, places } = layout()
  const policy = extendPolicy({ write: ['workspace', at('.git')] })
  expect(confine(policy, places).confinement.protect).not.toContain(at('.git'))
})

test('in a worktree the file `.git` is protected, which says where the hooks are', () => {
  const workspace = makeFolder({ '.git': 'gitdir: /elsewhere\n' })
  const places = { workspace, skill: makeFolder(), sources: [], skills: [], own: [] }
  expect(confine(POLICIES.balanced, places).confinement.protect).toContain(join(workspace, '.git'))
})

test('in a workspace that is a source itself, the other skills are hidden one by one, and the gap is told', () => {
  const { workspace, at, places } = layout()
  const inside = { ...places, sources: [workspace] }
  expect(confine(POLICIES.strict, inside)).toMatchObject({ confinement: { hide: [at('skills/other')] }, gaps: [] })
  expect(confine(POLICIES.balanced, inside)).toMatchObject({
    confinement: { hide: [at('skills/other')] },
    gaps: [`${workspace} lies in a source of skills, so that scripts can add skills to it`],
  })
  const many = Array.from({ length: 300 }, (_, i) => at(`skills/s${i}`))
  expect(confine(POLICIES.strict, { ...inside, skills: many }).gaps).toEqual([
    '300 other skills are too many to hide one by one',
  ])
})

test('a path behind a link cannot be protected, and that is told', () => {
  const { at, places } = layout()
  const elsewhere = makeFolder()
  symlinkSync(elsewhere, at('.claude'))
  expect(confine(POLICIES.balanced, places).gaps).toEqual([
    `${at('.claude')} is reached through a link, which a script could replace`,
  ])
})

test('the network is shared whole or not at all: single hosts are the business of a proxy', () => {
  const { places } = layout()
  const networkUnder = (network: Policy['network']) => confine(extendPolicy({ network }), places).confinement.network
  expect([networkUnder(['api.example.com']), networkUnder('all')]).toEqual(['none', 'all'])
})

test('inside, a script reads its own skill and no other', async () => {
  const { places } = layout()
  for (const policy of [POLICIES.strict, POLICIES.balanced]) {
    expect(await runInside(policy, places, 'cat data.txt skills/own/SKILL.md')).toBe('dataown')
    expect(await runInside(policy, places, 'ls skills; cat skills/other/secret.txt')).toMatch(
      /^own\ncat: .*No such file/,
    )
  }
})

test('inside, the workspace can be written as the policy says, but nothing that others obey', async () => {
  const { at, places } = layout()
  const attack = [
    ...['skillwright.yaml', '.skillwright/audit.jsonl', '.git/config', '.git/hooks/pre-commit', '.agents/skills/x'].map(
      file => `mkdir -p "$(dirname ${file})"; echo evil > ${file}`,
    ),
    'mv .git .git2 && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit',
    'rm -rf .skillwright; mv skills old; mkdir -p skills/evil && echo evil > skills/evil/SKILL.md',
    'echo fine > result.txt',
  ].join('\n')
  await runInside(POLICIES.balanced, places, attack)
  expect(readFileSync(at('result.txt'), 'utf8')).toBe('fine\n')
  expect(readFileSync(at('skillwright.yaml'), 'utf8')).toBe('policy: strict\n')
  expect(readFileSync(at('.git/config'), 'utf8')).toBe('[core]\n')
  expect(readFileSync(at('.skillwright/audit.jsonl'), 'utf8')).toBe('{}\n')
  const made = ['.git/hooks/pre-commit', '.agents', 'skills/evil'].filter(path => existsSync(at(path)))
  expect(made).toEqual([])

  await runInside(POLICIES.strict, places, 'echo evil > by-strict.txt')
  expect(existsSync(at('by-strict.txt'))).toBe(false)
})

test('inside, `skill` in `write` means the tool’s own skill', async () => {
  const { at, places } = layout()
  mkdirSync(at('more'))
  writeFileSync(at('more/x'), '')
  await runInside(
    extendPolicy({ write: ['skill'] }),
    places,
    'echo new > skills/own/new.txt; echo new > skills/other/new.txt',
  )
  expect([at('skills/own/new.txt'), at('skills/other/new.txt')].map(path => existsSync(path))).toEqual([true, false])
})

test('thousands of skills do not slow a call down', () => {
  const workspace = makeFolder()
  const skills = Array.from({ length: 5000 }, (_, i) => `${workspace}/skills/s${i}`)
  const places = { workspace, skill: skills[0]!, sources: [workspace], skills, own: [] }
  const { gaps } = confine(POLICIES.strict, places)
  expect(gaps).toEqual(['4999 other skills are too many to hide one by one'])
  const start = performance.now()
  for (let i = 0; i < 20; i++) confine(POLICIES.strict, places)
  // Comparing each with each took more than a second.
  expect((performance.now() - start) / 20).toBeLessThan(50)
})

test('state is not seen from inside, but for a workspace that lies in it', async () => {
  const { at, places } = layout()
  const hidden = [at('.skillwright'), at('.skillwright/audit.jsonl')]
  const script =
    'cat .skillwright/audit.jsonl; echo x > .skillwright/audit.jsonl; ls -A .skillwright | wc -l; cat data.txt'
  const said = await runInside(POLICIES.balanced, { ...places, hidden }, script)
  expect(said).toMatch(/^0\ndatacat: .* No such file or directory\n.*Read-only file system\n$/)
  expect(readFileSync(at('.skillwright/audit.jsonl'), 'utf8')).toBe('{}\n')

  const workspace = at('.skillwright/rooms/one')
  mkdirSync(workspace, { recursive: true })
  const inner = await runInside(POLICIES.balanced, { ...places, hidden, workspace }, 'echo mine > f; cat f; ls ../..')
  expect(inner).toBe('mine\nrooms\n')
})
