// One line and some tags about a tool or a node. Never a schema.
import { cutText, firstSentence } from '../text/clean-text.ts'
import type { Skill, Tool } from '../types.ts'
import { declaredTags } from './categories.ts'
import type { CategoryNode } from './category-tree.ts'
import { contentWords } from './content-words.ts'

export const MAX_SUMMARY = 120
const DERIVED_TAGS = 4

export function summaryOf(tool: Tool): string {
  return firstSentence(tool.description, MAX_SUMMARY) || cutText(tool.name, MAX_SUMMARY)
}

/** What the author gave, else the words of its name and the first telling ones of its description. */
export function tagsOf(tool: Tool, skill: Skill | undefined): readonly string[] {
  const declared = declaredTags(tool, skill)
  if (declared.length > 0) return declared
  const words = contentWords(`${tool.name} ${firstSentence(tool.description, MAX_SUMMARY)}`, DERIVED_TAGS)
  return words.map(({ word }) => word)
}

export function summaryOfNode(node: CategoryNode): string {
  if (node.skill) return firstSentence(node.skill.description, MAX_SUMMARY)
  const { nodes, tools } = node.level()
  const names = [
    ...nodes.map(one => one.path.at(-1)!),
    ...tools.map(tool => (tool.name === tool.skill ? tool.skill : tool.name)),
  ]
  const count = node.toolsBelow().size
  return cutText(`${count} ${count === 1 ? 'tool' : 'tools'}: ${listed(names)}`, MAX_SUMMARY)
}

const MAX_SCANNED = 50

/** The tags that most of its tools have. */
export function tagsOfNode(node: CategoryNode, skills: ReadonlyMap<string, Skill>): readonly string[] {
  const counts = new Map<string, number>()
  let scanned = 0
  for (const tool of node.toolsBelow()) {
    if (++scanned > MAX_SCANNED) break
    for (const tag of tagsOf(tool, skills.get(tool.skill))) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  const frequent = [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
  return frequent.slice(0, DERIVED_TAGS).map(([tag]) => tag)
}

/** As many names as fit, and how many more there are. */
function listed(names: readonly string[]): string {
  const shown: string[] = []
  let room = MAX_SUMMARY - 30
  for (const name of names) {
    room -= name.length + 2
    if (room < 0) break
    shown.push(name)
  }
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
