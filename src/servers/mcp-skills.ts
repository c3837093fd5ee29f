// The extension `io.modelcontextprotocol/skills`: the skills that a caller may use, with all their files.
import type { Resource } from '@modelcontextprotocol/server'
import type { Skill as McpSkill, SkillReadResult, SkillSource } from '@modelcontextprotocol/server/ext/skills'
import type { Skill } from '../types.ts'
import { type Connection, who } from './mcp-connection.ts'
import { promptTools } from './mcp-prompts.ts'
import type { SkillFiles } from './skill-files.ts'
import { readSkillUri, skillUri } from './skill-uri.ts'

const PAGE = 100

/** The skills whose prompt the caller may use; others do not exist for it. */
export function createSkillSource(connection: Pick<Connection, 'runtime' | 'caller'>, files: SkillFiles): SkillSource {
  const { runtime } = connection
  return {
    async list({ cursor }) {
      const skills = await visibleSkills()
      // A cursor is the last address of the page before, so that skills may come and go between two pages.
      const rest = cursor === undefined ? skills : skills.filter(skill => skillUri(skill) > cursor)
      const page = rest.slice(0, PAGE)
      const entries = await Promise.all(page.map(toEntry))
      return { skills: entries, ...(rest.length > PAGE && { nextCursor: skillUri(page.at(-1)!) }) }
    },
    async get(uri) {
      const skill = await findSkill(uri, path => path === 'SKILL.md')
      return skill && toEntry(skill)
    },
    async read(uri) {
      const skill = await findSkill(uri)
      const path = readSkillUri(uri)?.path ?? ''
      const content = skill && (await files.read(skill, path))
      return content && toReadResult(content, path)
    },
    async listResources(): Promise<Resource[]> {
      return (await visibleSkills()).map(skill => ({
        uri: skillUri(skill),
        name: skill.name,
        description: skill.description,
        mimeType: mimeTypeOf('SKILL.md'),
      }))
    },
  }

  async function visibleSkills(): Promise<Skill[]> {
    const ids = new Set((await promptTools(connection)).map(tool => tool.skill))
    const skills = (await runtime.listSkills(who(connection))).filter(skill => ids.has(skill.id))
    return skills.sort((a, b) => (skillUri(a) < skillUri(b) ? -1 : 1))
  }

  async function findSkill(uri: string, wants = (path: string) => path !== ''): Promise<Skill | undefined> {
    const meant = readSkillUri(uri)
    if (!meant || !wants(meant.path)) return undefined
    const prompt = await runtime.findTool(meant.id, who(connection))
    if (prompt?.executor.type !== 'prompt') return undefined
    return (await runtime.listSkills(who(connection))).find(skill => skill.id === meant.id)
  }

  /** A skill with more files than can be listed is still there, with files that can be read one by one. */
  async function toEntry(skill: Skill): Promise<McpSkill> {
    const listed = await files.list(skill)
    const resources = listed?.map(({ path, digest, size }) => ({ uri: skillUri(skill, path), digest, size }))
    return {
      uri: skillUri(skill),
      frontmatter: skill.frontmatter as McpSkill['frontmatter'],
      resources: resources?.sort((a, b) => (a.uri < b.uri ? -1 : 1)) ?? 'dynamic',
    }
  }
}

function toReadResult(content: Buffer, path: string): SkillReadResult {
  const mimeType = mimeTypeOf(path)
  try {
    // A byte order mark stays: digests are of the bytes as they are.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
    return { text, mimeType: mimeType ?? 'text/plain' }
  } catch {
    return { bytes: content, mimeType: mimeType ?? 'application/octet-stream' }
  }
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  html: 'text/html',
  csv: 'text/csv',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
}

function mimeTypeOf(path: string): string | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(MIME_TYPES, ending) ? MIME_TYPES[ending] : undefined
}
