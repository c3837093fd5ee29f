// What a script says of itself. One inspector per language turns a source into this; nothing is ever run.
import type { CommandLine, InspectionNote, Language, PythonFunction, Requirement } from '../types.ts'

export type ScriptSource = {
  /** File name or path, for messages only. */
  readonly path: string
  readonly text: string
  readonly language: Language
  /** Text of a file relative to the script's folder (`helpers.py`), undefined when there is none. */
  readonly sibling: (path: string) => string | undefined
}

export type Inspection = {
  /** False for a module that only defines things, so that running it does nothing. */
  readonly runs: boolean
  /** First paragraph of what the author wrote, at most 256 characters. */
  readonly description?: string
  /** One entry, or one per sub-command; empty when nothing typed could be read. */
  readonly commands: readonly InspectedCommand[]
  /** `exact`: everything was read; `partial`: part of it, so extra arguments stay allowed; `none`: free-form. */
  readonly confidence: 'exact' | 'partial' | 'none'
  /** What could not be read, or what a caller should know. */
  readonly notes: readonly InspectionNote[]
  /** True when the script asks questions on a terminal. */
  readonly interactive: boolean
  /** The function to call, when the script offers one and reads no command line; `commands` is empty then. */
  readonly callable?: CallableFunction
  readonly requirements: readonly Requirement[]
}

export type InspectedCommand = {
  readonly convention: CommandLine
  readonly description?: string
  readonly line: number
}

export type CallableFunction = {
  readonly convention: PythonFunction
  readonly description?: string
  readonly line: number
}

export type { InspectionNote, Requirement }
