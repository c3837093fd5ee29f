import type { Builtin } from './builtin.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { withTarget } from './workspace.ts'
import { writeFile } from './write-file.ts'

export const write: Builtin = {
  name: 'write',
  description:
    'Write a whole file of the workspace: a new one, or in place of what stood there. Folders on the way are made. To change a part, use edit.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'file, relative to the workspace' },
      content: { type: 'string', description: 'all that the file is to hold' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  annotations: { readOnly: false, idempotent: true, openWorld: false },
  timeoutMs: 30_000,
  run: ({ path, content }, { workspace }) =>
    withTarget(workspace, String(path), place =>
      oneAtATime(place.path, async () => {
        const text = String(content)
        const before = await writeFile(place, text)
        const bytes = `${Buffer.byteLength(text)} bytes`
        return before
          ? `Overwrote ${place.shown} (${bytes}, before ${before.size}).`
          : `Created ${place.shown} (${bytes}).`
      }),
    ),
}
