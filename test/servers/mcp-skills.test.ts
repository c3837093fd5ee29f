import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, test } from 'vitest'
import type { RuntimeOptions } from '../../src/index.ts'
import { makeFolder, makeRuntime, skillMd } from '../support/folders.ts'
import { connectNew, mount } from './mcp-support.ts'

const PIXEL = Buffer.from('89504e470d0a1a0a', 'hex')
const FILES = {
  'pdf/SKILL.md': skillMd('pdf', 'license: MIT\n', 'Read {baseDir}/guide for $ARGUMENTS.'),
  'pdf/guide/Über uns & mehr.md': '# Guide\n',
  'pdf/scripts/read.sh': 'echo read\n',
  'pdf/node_modules/left-pad/index.js': '',
  'secret/SKILL.md': skillMd('secret', 'disable-model-invocation: true\n'),
  'tools/.claude-plugin/plugin.json': '{"name":"data-tools"}',
  'tools/skills/csv/SKILL.md': skillMd('csv'),
}

const KINDS = ['2026-07-28', '2025-11-25'] as const

async function connect(kind: (typeof KINDS)[number], folder: string, options: RuntimeOptions = {}, as = '') {
  const warnings: string[] = []
  const runtime = await makeRuntime(folder, options)
  const mounted = await mount(runtime, { onWarning: message => warnings.push(message) })
  const transport = new StreamableHTTPClientTransport(new URL(mounted.url), {
    requestInit: { headers: { 'x-caller': as } },
  })
  const client: Client = await connectNew(kind, transport)
  return { client, skills: new SkillsClient(client), runtime, warnings }
}

describe.each(KINDS)('a client of %s', kind => {
  test('gets skills with all their files, and every file is what its digest says', async () => {
    const folder = makeFolder(FILES)
    writeFileSync(join(folder, 'pdf/pixel.png'), PIXEL)
    const { skills } = await connect(kind, folder)
    expect(skills.supported).toBe(true)
    const listed = await skills.list()
    expect(listed.skills.map(skill => skill.uri)).toEqual([
      'skill://pdf/SKILL.md',
      'skill://plugin.data-tools/csv/SKILL.md',
    ])
    const pdf = listed.skills[0]!
    expect(pdf.frontmatter).toEqual({ name: 'pdf', description: 'Does pdf.', license: 'MIT' })
    const paths = pdf.resources === 'dynamic' ? [] : pdf.resources.map(one => decodeURIComponent(one.uri))
    expect(paths).toEqual([
      'skill://pdf/SKILL.md',
      'skill://pdf/guide/Über uns & mehr.md',
      'skill://pdf/pixel.png',
      'skill://pdf/scripts/read.sh',
    ])
    // The client checks size, digest and frontmatter of what it reads.
    expect(await skills.read(pdf)).toMatchObject({ verified: true, frontmatter: { name: 'pdf' } })
    expect(await skills.read(pdf, 'guide/Über uns & mehr.md')).toMatchObject({ verified: true, text: '# Guide\n' })
    const pixel = await skills.read(pdf, 'pixel.png')
    expect(Buffer.from(pixel.bytes)).toEqual(PIXEL)
    expect(pixel.mimeType).toBe('image/png')
    expect((await skills.get('skill://plugin.data-tools/csv/SKILL.md')).skill.frontmatter.name).toBe('csv')
  })

  test('sees the digest change with the file', async () => {
    const folder = makeFolder(FILES)
    const { skills } = await connect(kind, folder)
    const digest = async () => {
      const { skill } = await skills.get('skill://pdf/SKILL.md', { cacheMode: 'refresh' } as never)
      return skill.resources === 'dynamic' ? '' : skill.resources.find(one => one.uri.endsWith('read.sh'))?.digest
    }
    const before = await digest()
    writeFileSync(join(folder, 'pdf/scripts/read.sh'), 'echo tead\n')
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, 'pdf/scripts/read.sh')))
      .digest('hex')
    expect(await digest()).toBe(`sha256:${hash}`)
    expect(await digest()).not.toBe(before)
  })

  test('reads nothing that leaves the skill', async () => {
    const folder = makeFolder(FILES)
    writeFileSync(join(folder, 'outside.txt'), 'outside')
    mkdirSync(join(folder, 'others'))
    symlinkSync(join(folder, 'outside.txt'), join(folder, 'pdf/link.txt'))
    symlinkSync(folder, join(folder, 'pdf/up'))
    writeFileSync(join(folder, 'pdf/setuid.sh'), 'echo no\n')
    chmodSync(join(folder, 'pdf/setuid.sh'), 0o4755)
    const { client, skills } = await connect(kind, folder)
    const { skill } = await skills.get('skill://pdf/SKILL.md')
    const listed = JSON.stringify(skill.resources)
    for (const name of ['link.txt', 'up', 'setuid.sh', 'left-pad']) expect(listed).not.toContain(name)
    for (const path of [
      'link.txt',
      'up/outside.txt',
      'setuid.sh',
      'node_modules/left-pad/index.js',
      '..%2Foutside.txt',
      '%2E%2E/outside.txt',
      '..%5Coutside.txt',
      'guide',
      'a%00b',
      '',
    ])
      await expect(client.readResource({ uri: `skill://pdf/${path}` }), path).rejects.toThrow()
    await expect(client.readResource({ uri: 'skill://secret/SKILL.md' })).rejects.toThrow()
    await expect(client.readResource({ uri: 'skill://nobody/SKILL.md' })).rejects.toThrow()
  })

  test('a skill with more files than can be listed is there all the same', async () => {
    const folder = makeFolder({ 'big/SKILL.md': skillMd('big') })
    for (let i = 0; i < 600; i++) writeFileSync(join(folder, `big/${i}.txt`), `${i}`)
    const { skills } = await connect(kind, folder)
    const { skill } = await skills.get('skill://big/SKILL.md')
    expect(skill.resources).toBe('dynamic')
    expect((await skills.read(skill, '599.txt')).text).toBe('599')
  })

  test('a skill that the extension has no words for is named in a warning, and stays a prompt', async () => {
    const folder = makeFolder({ 'odd/SKILL.md': skillMd('odd', 'metadata: { a: { b: c } }\n') })
    const { client, skills, warnings } = await connect(kind, folder)
    expect((await skills.list()).skills).toEqual([])
    await skills.list()
    expect(warnings).toEqual([expect.stringMatching(/^skill:\/\/odd\/SKILL.md: .*metadata/)])
    expect((await client.listPrompts()).prompts.map(prompt => prompt.name)).toEqual(['odd'])
  })

  test('skills are prompts, filled in as everywhere', async () => {
    const folder = makeFolder(FILES)
    const { client, runtime } = await connect(kind, folder)
    const { prompts } = await client.listPrompts()
    expect(prompts.map(prompt => prompt.name)).toEqual(['data-tools_csv', 'pdf'])
    expect(prompts[1]).toMatchObject({ description: 'Does pdf.', arguments: [{ name: 'arguments', required: false }] })
    const { messages } = await client.getPrompt({ name: 'pdf', arguments: { arguments: 'a.pdf' } })
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: await runtime.invokeSkill('pdf', 'a.pdf') } },
    ])
    await expect(client.getPrompt({ name: 'secret' })).rejects.toMatchObject({ code: -32602 })
    await expect(client.getPrompt({ name: 'pdf__read' })).rejects.toMatchObject({ code: -32602 })
  })

  test('a caller without the role has no skills, no files and no prompts', async () => {
    const folder = makeFolder(FILES)
    const bound = { dynamicToolRoles: ['teacher'] }
    const bob = await connect(kind, folder, bound, 'bob')
    expect((await bob.skills.list()).skills).toEqual([])
    expect((await bob.client.listPrompts()).prompts).toEqual([])
    expect((await bob.client.listResources()).resources).toEqual([])
    await expect(bob.client.readResource({ uri: 'skill://pdf/SKILL.md' })).rejects.toThrow()
    await expect(bob.client.getPrompt({ name: 'pdf' })).rejects.toMatchObject({ code: -32602 })
    const ada = await connect(kind, folder, bound, 'ada')
    expect((await ada.client.listResources()).resources).toHaveLength(2)
  })
})

test('skills come in pages', async () => {
  const folder = makeFolder()
  for (let i = 0; i < 130; i++) {
    mkdirSync(join(folder, `skill-${i}`))
    writeFileSync(join(folder, `skill-${i}/SKILL.md`), skillMd(`skill-${i}`))
  }
  const { skills } = await connect('2026-07-28', folder)
  const first = await skills.list({ cursor: '' })
  expect(first.skills).toHaveLength(100)
  // A skill that goes meanwhile takes no other with it.
  rmSync(join(folder, 'skill-0'), { recursive: true })
  const second = await skills.list({ cursor: first.nextCursor! })
  expect(second.skills).toHaveLength(30)
  expect(second.nextCursor).toBeUndefined()
})
