import { resolve } from 'node:path'

/** In the workspace, unless somebody names another. */
export const STATE_FOLDER = '.skillwright'

/** Where the audit is, or false when there is none. */
export function auditFileOf(options: {
  readonly workspace: string
  readonly stateFolder?: string
  readonly audit: string | false | undefined
}): string | false {
  const folder = resolve(options.workspace, options.stateFolder ?? STATE_FOLDER)
  return options.audit === false ? false : resolve(folder, options.audit ?? 'audit.jsonl')
}
