import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // Real processes on a small shared machine: more workers only make the timeouts of the scripts under test noisy.
    maxWorkers: 2,
  },
})
