// The categories of a set of tools: a graph in which a tool can stand in several places. Levels are made when they are looked at.
import { cutText } from '../text/clean-text.ts'
import type { Skill, Tool } from '../types.ts'
import { keyOf, MAX_LABEL, type Path, placesOf } from './categories.ts'
import { type ContentWord, contentWords } from './content-words.ts'
import { type Groupable, groupChildren } from './group-children.ts'
import { groupByTopic } from './topics.ts'

export type CategoryNode = {
  readonly path: Path
  /** The path without the groups that stand in between; absent for a group. */
  readonly place?: Path
  /** The skill, when the node is one. */
  readonly skill?: Skill
  /** What stands directly below: at most 30 nodes and tools together. */
  level(): Level
  /** Every tool below, once. */
  toolsBelow(): ReadonlySet<Tool>
}

export type Level = { readonly nodes: readonly CategoryNode[]; readonly tools: readonly Tool[] }

export type CategoryTree = {
  readonly root: CategoryNode
  /** The node at a path, in any spelling, with or without the groups that stand in between; else how far the path leads. */
  find(path: Path): { readonly node: CategoryNode; readonly isWhole: boolean; readonly missing?: string }
  /** The nodes that a tool stands directly in. */
  nodesOf(tool: Tool): readonly CategoryNode[]
}

/** More children than a model can read at once. */
const MAX_CHILDREN = 30

/** A node before its level is grouped. */
type Plan = {
  readonly label: string
  readonly nodes: Map<string, Plan>
  readonly tools: Tool[]
  skill?: Skill
  readonly isGroup: boolean
  /** Whether its children share a topic, so that only their words tell them apart. */
  readonly isTopic?: boolean
}

type Child = Groupable & { readonly plan?: Plan; readonly tool?: Tool }

type Node = CategoryNode & { readonly plan: Plan; holderOf(child: Plan | Tool): Node | undefined }

/** Builds the categories of tools, in any order: the same tools give the same tree. */
export function createCategoryTree(tools: Iterable<Tool>, skills: ReadonlyMap<string, Skill>): CategoryTree {
  const { plan, homes } = planTree(tools, skills)
  const root = createNode(plan, { path: [], place: [] })

  return { root, find, nodesOf }

  function find(path: Path): ReturnType<CategoryTree['find']> {
    let node = root
    for (const label of path) {
      const key = keyOf(label)
      const next =
        node.level().nodes.find(one => keyOf(one.path.at(-1)!) === key) ?? throughGroups(node, node.plan.nodes.get(key))
      if (!next) return { node, isWhole: false, missing: label }
      node = next as Node
    }
    return { node, isWhole: true }
  }

  function nodesOf(tool: Tool): readonly CategoryNode[] {
    return (homes.get(tool) ?? []).map(plans => {
      const node = plans.reduce<Node>((above, below) => throughGroups(above, below) ?? above, root)
      return throughGroups(node, tool) ?? node
    })
  }
}

/** Goes down through the groups to the node of a plan, or to the group that holds a tool. */
function throughGroups(from: Node, child: Plan | Tool | undefined): Node | undefined {
  if (!child) return undefined
  let node: Node | undefined = from
  let last: Node | undefined
  while (node && node.plan !== child) {
    last = node
    node = node.holderOf(child)
  }
  return node ?? (last === from ? undefined : last)
}

function planTree(tools: Iterable<Tool>, skills: ReadonlyMap<string, Skill>) {
  const root: Plan = { label: '', nodes: new Map(), tools: [], isGroup: false }
  const homes = new Map<Tool, Plan[][]>()
  const placed = [...tools].map(tool => ({ tool, ...placesOf(tool, skills.get(tool.skill)) }))
  // Of two spellings of one label the same one counts in whatever order the tools come.
  placed.sort((a, b) => (a.tool.id < b.tool.id ? -1 : 1))
  const lone = new Map<string, number>()
  for (const { tool, declared } of placed) if (!declared) lone.set(tool.skill, (lone.get(tool.skill) ?? 0) + 1)

  for (const { tool, declared, paths } of placed) {
    const isLone = !declared && lone.get(tool.skill) === 1
    const chains = paths.map(path => place(tool, isLone ? path.slice(0, -1) : path, !declared && !isLone))
    homes.set(tool, chains)
  }
  return { plan: root, homes }

  function place(tool: Tool, path: Path, isHome: boolean): Plan[] {
    const chain: Plan[] = []
    let plan = root
    for (const [depth, label] of path.entries()) {
      const key = keyOf(label)
      const next: Plan = plan.nodes.get(key) ?? { label, tools: [], isGroup: false, nodes: new Map() }
      const skill = isHome && depth === path.length - 1 ? skills.get(tool.skill) : undefined
      if (skill) next.skill ??= skill
      plan.nodes.set(key, next)
      plan = next
      chain.push(plan)
    }
    plan.tools.push(tool)
    return chain
  }
}

type Position = { readonly path: Path; readonly place: Path }

function createNode(plan: Plan, position: Position): Node {
  const level = once(() => makeLevel(plan, position))
  return {
    path: position.path,
    plan,
    ...(!plan.isGroup && { place: position.place }),
    ...(plan.skill && { skill: plan.skill }),
    level,
    holderOf: child => level().holders.get(child),
    toolsBelow: once(() => new Set(toolsOf(plan))),
  }
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

function makeLevel(plan: Plan, { path, place }: Position) {
  const isSmall = plan.nodes.size + plan.tools.length <= MAX_CHILDREN
  const plans = isSmall ? [...plan.nodes.values()] : groupLevel(plan)
  const nodes = plans.toSorted(byLabel).map(one => {
    const position = { path: [...path, one.label], place: one.isGroup ? place : [...place, one.label] }
    return createNode(one, position)
  })
  const holders = new Map<Plan | Tool, Node>(nodes.map(node => [node.plan, node]))
  if (!isSmall)
    for (const node of nodes) {
      for (const one of node.plan.nodes.values()) holders.set(one, node)
      for (const tool of node.plan.tools) holders.set(tool, node)
    }
  return { nodes, tools: isSmall ? plan.tools : [], holders }
}

function groupLevel(plan: Plan): Plan[] {
  const children: Child[] = [
    ...[...plan.nodes.values()].map(one => ({ name: one.label, plan: one, ...wordsOfPlan(one) })),
    ...plan.tools.map(tool => ({ name: tool.id, tool, ...wordsOfTool(tool) })),
  ]
  const byTopic = children.length > MANY && !plan.isTopic ? groupByTopic(children) : undefined
  const groups = byTopic ?? groupChildren(children)
  const labels = freeLabels(
    groups.map(group => group.label),
    plan.nodes,
  )
  return groups.map(({ children: members }, i) => ({
    label: labels[i]!,
    nodes: new Map(members.flatMap(({ plan: one }) => (one ? [[keyOf(one.label), one] as const] : []))),
    tools: members.flatMap(({ tool }) => (tool ? [tool] : [])),
    isGroup: true,
    ...((byTopic || plan.isTopic) && { isTopic: true }),
  }))
}

/** A group that is named like a category, or like another group, would keep that from being found by its path. */
function freeLabels(labels: readonly string[], named: ReadonlyMap<string, Plan>): string[] {
  const taken = new Set(named.keys())
  return labels.map(label => {
    let free = cutText(label, MAX_LABEL)
    const short = cutText(label, MAX_LABEL - ' and more (10000)'.length)
    for (let i = 1; taken.has(keyOf(free)); i++) free = i === 1 ? `${short} and more` : `${short} and more (${i})`
    taken.add(keyOf(free))
    return free
  })
}

/** So many children share too few words; topics hold them all. */
const MANY = 150

type Words = Pick<Groupable, 'words' | 'named'>
const MAX_WORDS = 16

/** Tools of unchanged skills are the same objects from snapshot to snapshot. */
const known = new WeakMap<Tool, Words>()

function wordsOfTool(tool: Tool): Words {
  const words = known.get(tool) ?? joinWords([tool.name, ...(tool.tags ?? [])].join(' '), tool.description)
  known.set(tool, words)
  return words
}

function wordsOfPlan({ label, skill, tools, nodes }: Plan): Words {
  const inside = [...tools.slice(0, 5).map(tool => tool.name), ...[...nodes.values()].slice(0, 5).map(one => one.label)]
  return joinWords(label, skill?.description ?? inside.join(' '))
}

function joinWords(name: string, description: string): Words {
  const named: readonly ContentWord[] = contentWords(name, MAX_WORDS)
  const stems = new Set(named.map(word => word.stem))
  const more = contentWords(description, MAX_WORDS).filter(word => !stems.has(word.stem))
  return { named: named.length, words: [...named, ...more].slice(0, MAX_WORDS) }
}

function* toolsOf(plan: Plan): Iterable<Tool> {
  yield* plan.tools
  for (const one of plan.nodes.values()) yield* toolsOf(one)
}

function byLabel(a: Plan, b: Plan): number {
  return a.label < b.label ? -1 : a.label > b.label ? 1 : 0
}
