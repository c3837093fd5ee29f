import { basename, extname } from 'node:path'
import type { LeftOutReason } from '../types.ts'

/** Why a file's name alone says that it is no tool; undefined when it may be one. */
export function classifyName(file: string): { reason: LeftOutReason; detail: string } | undefined {
  const name = basename(file)
  const folders = file.split('/').slice(0, -1)
  if (name === '__init__.py') return { reason: 'init-file', detail: 'marks a Python package' }
  if (/\.d\.[cm]?ts$/.test(name)) return { reason: 'type-declaration', detail: 'declares types only' }
  if (/^[._]/.test(name)) return { reason: 'private', detail: 'its name begins with `_` or `.`' }
  const privateFolder = folders.find(folder => /^[._]/.test(folder))
  if (privateFolder) return { reason: 'private', detail: `lies in ${privateFolder}/` }
  if (TEST_NAME.test(name)) return { reason: 'test', detail: 'is named like a test' }
  const testFolder = folders.find(folder => TEST_FOLDER.test(folder))
  if (testFolder) return { reason: 'test', detail: `lies in ${testFolder}/` }
  if (WINDOWS.has(extname(name).toLowerCase())) return { reason: 'windows-only', detail: 'runs on Windows only' }
  return undefined
}

const TEST_NAME =
  /^test_.*\.py$|_test\.(?:py|sh|js|ts|rb)$|\.(?:test|spec)\.[cm]?[jt]sx?$|^conftest\.py$|^test[._-]?.*\.bats$/
const TEST_FOLDER = /^(?:tests?|__tests__|specs?)$/
const WINDOWS = new Set(['.cmd', '.bat'])
