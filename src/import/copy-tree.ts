import { copyFileSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Budget } from './budget.ts'

/** Copies plain files and folders that are already staged; they count again. Throws as the budget does. */
export function copyTree(from: string, to: string, budget: Budget): void {
  budget.entry()
  const found = lstatSync(from)
  if (!found.isDirectory()) {
    budget.bytes(found.size, from, found.size)
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(from, to)
    return
  }
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name), budget)
}
