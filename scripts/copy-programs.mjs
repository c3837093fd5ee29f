// node scripts/copy-programs.mjs <folder>: puts programs in other languages beside the compiled code that starts them.
import { cpSync } from 'node:fs'
import { join } from 'node:path'

const target = process.argv[2]
for (const folder of ['workers/python', 'workers/node'])
  cpSync(join('src', folder), join(target, folder), { recursive: true })
