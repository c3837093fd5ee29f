// Assignments: which variable holds which argument from here on.
import { evaluate } from './evaluate.ts'
import type { Assignment, Word } from './shell-syntax.ts'
import { type Slot, UNKNOWN, type Value } from './slot.ts'
import { nextPosition, positionSlot, restSlot, use, type Walk } from './walk.ts'

export function assign(walk: Walk, assignment: Assignment, local: boolean, offset: number): void {
  if (assignment.items) {
    assignList(walk, assignment)
    return
  }
  const value = evaluate(walk, assignment.value)
  const before = walk.variables.get(assignment.name)
  if (value.type === 'stray' && walk.arm?.taken === false) {
    set(walk, assignment.name, value, local)
    return
  }
  if (value.type === 'stray') {
    takeStray(walk, assignment, before, offset)
    return
  }
  const counted = countsUp(walk, assignment)
  if (counted) return
  if (value.type === 'slot') {
    const names = value.derived ? value.slot.derivedNames : value.slot.names
    if (!value.partly && !names.includes(assignment.name)) names.push(assignment.name)
    const { place } = value.slot
    if (place.at === 'flag') {
      const adds = assignment.append || mentions(assignment.value, assignment.name)
      if (adds && walk.arm) place.flag.repeats = true
      else if (!value.derived) offerInitial(value.slot, walk.arm ? walk.initials.get(assignment.name) : before)
    }
  }
  if (value.type === 'arguments') {
    const slot = restSlot(walk, value.from, true, offset)
    slot.names.push(assignment.name)
    use(walk, slot)
    set(walk, assignment.name, { type: 'slot', slot, derived: false }, local)
    return
  }
  if (before?.type === 'slot' && value.type !== 'slot' && walk.branch > 0) {
    const empty = walk.empty.find(({ name }) => name === assignment.name || name === '*')
    if (empty) {
      before.slot.required ??= false
      // Deeper inside, the default depends on something else.
      if (value.type === 'text' && value.text !== '' && empty.branch === walk.branch) before.slot.initial ??= value.text
    }
    return
  }
  const mixed = assignment.append || (walk.branch > 0 && before?.type === 'unknown')
  const other =
    value.type === 'slot' && before?.type === 'slot' && before.slot !== value.slot && (walk.branch > 0 || walk.arm)
  if (walk.branch > 0 && !walk.arm && value.type === 'slot' && before?.type === 'text' && before.text !== '') {
    value.slot.required ??= false
    if (!value.derived) value.slot.initial ??= before.text
  }
  // What one branch sets does not hold in the next.
  const elsewhere = walk.branch > 0 && value.type === 'text' && walk.empty.length === 0
  set(walk, assignment.name, elsewhere || (value.type === 'slot' && (mixed || other)) ? UNKNOWN : value, local)
}

function assignList(walk: Walk, assignment: Assignment): void {
  for (const item of assignment.items ?? []) {
    const value = evaluate(walk, item)
    const { name } = assignment
    if (value.type === 'arguments') set(walk, name, { ...value, name }, false)
    if (value.type === 'stray')
      set(walk, name, { type: 'arguments', from: nextPosition(walk), name, collected: true }, false)
    if (value.type !== 'slot') continue
    if (!value.slot.names.includes(assignment.name)) value.slot.names.push(assignment.name)
    if (value.slot.place.at === 'flag' && walk.arm && assignment.append) value.slot.place.flag.repeats = true
  }
  if (!assignment.append && assignment.items?.length === 0) set(walk, assignment.name, UNKNOWN, false)
}

/** A loop's word that is no flag becomes the next positional, or joins a list of them. */
function takeStray(walk: Walk, assignment: Assignment, before: Value | undefined, offset: number): void {
  if (before?.type === 'slot' && before.slot.names.includes(assignment.name)) {
    // A word that means the same as a flag: the flag is enough to call the script.
    walk.aliased = true
    return
  }
  const joins = assignment.append || mentions(assignment.value, assignment.name)
  const slot = joins
    ? restSlot(walk, nextPosition(walk), !PLURAL.test(assignment.name), offset)
    : positionSlot(walk, nextPosition(walk), offset)
  slot.used = true
  slot.names.push(assignment.name)
  if (before?.type === 'text' && before.text !== '') slot.initial = before.text
  walk.variables.set(assignment.name, { type: 'slot', slot, derived: false })
}

/** `FILES="$FILES $1"` makes a list, `QUERY="$QUERY $1"` a text. */
const PLURAL = /[^s]s$|list$|arr(?:ay)?$/i

/** `VERBOSE=$((VERBOSE + 1))` in the arm of a flag. */
function countsUp(walk: Walk, assignment: Assignment): boolean {
  const [part] = assignment.value?.parts ?? []
  if (part?.type !== 'arithmetic' || !part.text.includes(assignment.name) || !/\+\s*1/.test(part.text)) return false
  const [token] = walk.scope.known
  if (token?.type === 'token' && token.slot.place.at === 'flag') token.slot.place.flag.takes = 'count'
  return true
}

function offerInitial(slot: Slot, before: Value | undefined): void {
  if (before?.type === 'text' && before.text !== '') slot.initial ??= before.text
}

function mentions(word: Word | undefined, name: string): boolean {
  return (
    word?.parts.some(part => part.type === 'expansion' && part.name === name && /^(?::?\+)?$/.test(part.operator)) ??
    false
  )
}

function set(walk: Walk, name: string, value: Value, local: boolean): void {
  if (local) shadow(walk, name, value)
  else walk.variables.set(name, value)
}

/** Locals live in the frame of the function that is walked; `callFunction` brings the old value back. */
export function shadow(walk: Walk, name: string, value: Value): void {
  const frame = walk.frames.at(-1)
  if (frame && !frame.has(name)) frame.set(name, walk.variables.get(name))
  walk.variables.set(name, value)
}
