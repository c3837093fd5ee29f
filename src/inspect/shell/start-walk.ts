// Runs walks: one for each path of command words, until every path ends at a leaf.
import { createEndings } from './endings.ts'
import type { Command } from './shell-syntax.ts'
import type { Walk } from './walk.ts'
import { walkCommands } from './walk-commands.ts'

export type WalkInput = {
  readonly commands: readonly Command[]
  readonly lineAt: (offset: number) => number
  /** Commands of the files that the script sources. */
  readonly sourced: readonly (readonly Command[])[]
}

/** Enough for any real script, and a bound on the time that a strange one takes. */
const MOST_WALKS = 80

/** One finished walk per command of the script; a single one when it has no commands. */
export function walkScript(input: WalkInput): readonly Walk[] {
  const functions = new Map<string, Command>()
  for (const list of [...input.sourced, input.commands]) collectFunctions(list, functions)
  const ends = createEndings(functions)
  const shared = { functions, ends, lineAt: input.lineAt, budget: { steps: 0 }, seen: new Set<number>() }
  const run = (path: readonly string[] | undefined): Walk => {
    const walk = createWalk(path, shared)
    for (const list of input.sourced) walkCommands(walk, list.filter(isAssignment))
    walkCommands(walk, input.commands)
    return walk
  }
  const leaves: Walk[] = []
  const paths: (readonly string[])[] = [[]]
  for (const path of paths) {
    if (paths.length > MOST_WALKS) return [run(undefined)]
    const walk = run(path)
    if (walk.choice) paths.push(...walk.choice.map(({ word }) => [...path, word]))
    else leaves.push(walk)
  }
  return leaves
}

function createWalk(
  path: readonly string[] | undefined,
  shared: Pick<Walk, 'functions' | 'ends' | 'lineAt' | 'budget' | 'seen'>,
): Walk {
  return {
    ...shared,
    scope: { known: [], rest: 0 },
    variables: new Map(),
    positions: new Map(),
    rest: undefined,
    flags: [],
    stdin: undefined,
    least: 0,
    most: undefined,
    branch: 0,
    empty: [],
    asking: false,
    fixed: [],
    calls: [],
    guarded: false,
    initials: new Map(),
    strict: false,
    frames: [],
    visited: new Set(),
    stopped: undefined,
    chosen: [],
    path,
    choice: undefined,
    loop: false,
    leading: 0,
    terminator: false,
    unshifted: false,
    aliased: false,
    mixed: false,
    fed: 0,
    reading: false,
    interactive: false,
    nounset: false,
    notes: [],
    programs: new Map(),
    environment: new Map(),
    forwards: undefined,
    shifts: { sure: 0, maybe: 0 },
    arm: undefined,
  }
}

/** Functions may be defined anywhere, also after the code that calls `main` mentions them. */
function collectFunctions(commands: readonly Command[], functions: Map<string, Command>): void {
  for (const command of commands) {
    if (command.type === 'function') {
      functions.set(command.name, command.body)
      if (command.body.type === 'group') collectFunctions(command.body.body, functions)
    } else if (command.type === 'if') for (const { body } of command.branches) collectFunctions(body, functions)
  }
}

function isAssignment(command: Command): boolean {
  return command.type === 'simple' && command.words.length === 0
}
