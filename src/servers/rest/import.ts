import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { SkillInvocationError, toolError } from '../../errors.ts'
import { importSkills } from '../../import/import-skills.ts'
import { importSchema, toWireImport } from '../wire.ts'
import { pieces } from './read-request.ts'
import { type RestParts, type Route, route } from './route.ts'

const MAX_ARCHIVE = 64 * 1024 * 1024

const importQuery = z.strictObject({
  names: z.string().optional().describe('only these, with commas between them'),
  force: z.enum(['true', 'false']).default('false').describe('replace folders too that were edited or never imported'),
})

export function importRoutes({ runtime, access, importInto }: RestParts): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/import',
      id: 'import_skills',
      summary: 'Import skills from an archive (.zip, .skill, .tar.gz) that is the body. Needs an admin role.',
      query: importQuery,
      upload: MAX_ARCHIVE,
      answer: importSchema,
      handle: async ({ query, caller, request, signal }) => {
        if (!access.isAdmin(caller)) throw notAdmin()
        const names = query.names?.split(',').filter(Boolean)
        const result = await withUpload(request, file =>
          importSkills(file, {
            signal,
            force: query.force === 'true',
            ...(names && { names }),
            ...(importInto !== undefined && { into: importInto }),
          }),
        )
        return toWireImport(result, await runtime.report())
      },
    }),
  ]
}

/** The body as a file, which is gone afterwards. */
async function withUpload<Result>(request: Request, use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'skillwright-upload-'))
  try {
    const path = join(folder, 'upload')
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const piece of pieces(request, MAX_ARCHIVE)) await file.write(piece)
    } finally {
      await file.close()
    }
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function notAdmin(): SkillInvocationError {
  return new SkillInvocationError(
    toolError('ROLE_REQUIRED', 'Importing skills needs an admin role.', {
      nextAction: 'Use a token with a role of servers.admin_roles, or import on the machine of the server.',
    }),
  )
}
