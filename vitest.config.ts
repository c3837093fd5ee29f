import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Reading certificates that no test needs is two thirds of the time in which Node 20 starts, and tests start it a thousand times.
delete process.env['NODE_EXTRA_CA_CERTS']

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Approvals of the skills under test do not belong among those of whoever runs the tests.
    env: { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'skillwright-state-')) },
    testTimeout: 30_000,
    // Real processes on a small shared machine: more workers only make the timeouts of the scripts under test noisy.
    maxWorkers: 2,
  },
})
