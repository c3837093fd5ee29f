import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Reading certificates that no test needs is two thirds of the time in which Node 20 starts, and tests start it a thousand times.
delete process.env['NODE_EXTRA_CA_CERTS']

// Text in, data out: these leave nothing behind in their process, so that one loads the code for all of them.
const READING = ['catalogue', 'inspect', 'skills', 'templates', 'text'].map(room => `test/${room}/**/*.test.ts`)

export default defineConfig({
  test: {
    // Approvals of the skills under test do not belong among those of whoever runs the tests.
    env: { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'skillwright-state-')) },
    testTimeout: 30_000,
    // Real processes on a small shared machine: more workers only make the timeouts of the scripts under test noisy.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'reading', include: READING, isolate: false } },
      { extends: true, test: { name: 'running', include: ['test/**/*.test.ts'], exclude: READING } },
    ],
  },
})
