// One line and some tags about a tool or a node. Never a schema.
import { cutText, firstSentence } from '../text/clean-text.ts'
import type { Skill, Tool } from '../types.ts'
import { type AboutCategory, declaredTags, placeKey } from './categories.ts'
import type { CategoryNode } from './category-tree.ts'
import { contentWords } from './content-words.ts'
import type { View } from './views.ts'

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

export function summaryOfNode(node: CategoryNode, view: View): string {
  const given = givenAbout(node, view)?.summary
  if (given) return cutText(given, MAX_SUMMARY)
  if (node.skill) return firstSentence(node.skill.description, MAX_SUMMARY)
  const { nodes, tools } = node.level()
  if (nodes.length === 1 && tools.length === 0) return summaryOfNode(nodes[0]!, view)
  const names = [...new Set([...nodes.map(one => one.path.at(-1)!), ...tools.map(tool => tool.name)])]
  const count = node.toolsBelow().size
  return cutText(`${count} ${count === 1 ? 'tool' : 'tools'}: ${listed(names)}`, MAX_SUMMARY)
}

const MAX_SCANNED = 50

/** Given ones, else those that most of its tools have. */
export function tagsOfNode(node: CategoryNode, view: View): readonly string[] {
  const given = givenAbout(node, view)?.tags
  if (given) return given
  const counts = new Map<string, number>()
  let scanned = 0
  for (const tool of node.toolsBelow()) {
    if (++scanned > MAX_SCANNED) break
    for (const tag of tagsOf(tool, view.skills.get(tool.skill))) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  const frequent = [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
  return frequent.slice(0, DERIVED_TAGS).map(([tag]) => tag)
}

function givenAbout(node: CategoryNode, view: View): AboutCategory | undefined {
  return node.place && view.categories.get(placeKey(node.place))
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
