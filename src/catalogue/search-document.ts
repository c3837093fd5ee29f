import type { JsonSchema, Skill, Tool } from '../types.ts'
import { declaredTags, placesOf } from './categories.ts'
import type { SearchDocument } from './search-index.ts'

const MAX_PARAMETERS = 50

/** What a tool is found by. Groups are not part of it: they come and go with other tools. */
export function toDocument(tool: Tool, skill: Skill | undefined): SearchDocument {
  const { paths } = placesOf(tool, skill)
  const words = new Set([
    ...paths.flat(),
    tool.skill,
    ...(skill?.plugin === undefined ? [] : [skill.plugin]),
    ...declaredTags(tool, skill),
  ])
  return {
    id: tool.id,
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool.inputSchema),
    category: [...words].join(' '),
  }
}

function parametersOf({ properties }: JsonSchema): SearchDocument['parameters'] {
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties)
    .slice(0, MAX_PARAMETERS)
    .map(([name, schema]) => {
      const description: unknown =
        typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'description') : ''
      return { name, ...(typeof description === 'string' && description !== '' && { description }) }
    })
}
