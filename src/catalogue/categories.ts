// Where a tool stands: what its author declared, else plugin, folders and skill.
import { cutText } from '../text/clean-text.ts'
import type { Skill, Tool } from '../types.ts'

export type Path = readonly string[]

export type Places = { readonly declared: boolean; readonly paths: readonly Path[] }

/** What the program says about a category. */
export type AboutCategory = {
  /** One line; cut to 120 characters. Default: derived from what stands in it. */
  readonly summary?: string
  /** Default: the most frequent tags of its tools. */
  readonly tags?: readonly string[]
}

/** By path, such as `documents/pdf`. */
export type AboutCategories = Readonly<Record<string, AboutCategory>>

/** Strangers write these; a level is read by a model. */
export const MAX_LABEL = 48
const MAX_DEPTH = 6
const MAX_PLACES = 8
const MAX_TAGS = 8

/** Every place of a tool. The author's word on the tool counts before that on the skill. */
export function placesOf(tool: Tool, skill: Skill | undefined): Places {
  const declared = readPaths(tool.category ?? fieldOf(skill, 'category') ?? fieldOf(skill, 'categories'))
  return declared.length > 0 ? { declared: true, paths: declared } : { declared: false, paths: [homeOf(tool, skill)] }
}

/** The tags that the author gave to the tool or its skill. */
export function declaredTags(tool: Tool, skill: Skill | undefined): readonly string[] {
  const given = tool.tags ?? readTexts(fieldOf(skill, 'tags') ?? fieldOf(skill, 'keywords'), /[,\s]+/)
  return [...new Set(given.map(tag => cutText(tag, MAX_LABEL).toLowerCase()))].filter(Boolean).slice(0, MAX_TAGS)
}

/** What two spellings of one label have in common. */
export function keyOf(label: string): string {
  return cutText(label, MAX_LABEL).toLowerCase()
}

/** What all spellings of one path have in common. */
export function placeKey(path: Path): string {
  return path.map(keyOf).join('\0')
}

/** `documents/pdf` → its labels. */
export function toPath(text: string): Path {
  return text
    .split(/\s*[/>]\s*/)
    .map(toLabel)
    .filter(Boolean)
    .slice(0, MAX_DEPTH)
}

function homeOf(tool: Tool, skill: Skill | undefined): Path {
  if (!skill) return [tool.skill]
  const around = skill.plugin === undefined ? (skill.within ?? []).filter(isTelling) : [skill.plugin]
  return [...around, skill.name].map(toLabel).filter(Boolean).slice(-MAX_DEPTH)
}

/** Folders that only say that skills are in them tell nothing. */
function isTelling(folder: string): boolean {
  return !/^\.?(?:skills|claude|agents|system|plugins)$/i.test(folder)
}

function readPaths(value: unknown): Path[] {
  const paths = readTexts(value)
    .map(toPath)
    .filter(path => path.length > 0)
  const unique = new Map(paths.map(path => [placeKey(path), path]))
  return [...unique.values()].slice(0, MAX_PLACES)
}

function toLabel(text: string): string {
  return cutText(text.replace(/^\./, ''), MAX_LABEL)
}

/** Fields beyond the specification stand at the top or in `metadata`. */
function fieldOf(skill: Skill | undefined, name: string): unknown {
  const metadata = skill?.frontmatter['metadata']
  const inMetadata = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, name) : undefined
  return skill?.frontmatter[name] ?? inMetadata
}

function readTexts(value: unknown, separator?: RegExp): string[] {
  if (typeof value === 'string') return separator ? value.split(separator) : [value]
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}
