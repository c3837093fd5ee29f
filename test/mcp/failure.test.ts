import { expect, test } from 'vitest'
import type { Target } from '../../src/mcp/config.ts'
import { toFailure } from '../../src/mcp/failure.ts'

test('a secret that lies across the cut does not show in half', () => {
  const target: Target = {
    kind: 'stdio',
    command: 'x',
    args: [],
    env: {},
    cwd: '/',
    secrets: ['canary-4711'],
    credentials: [],
  }
  for (let length = 1985; length < 2005; length++) {
    const error = new Error(`${'x'.repeat(length)}canary-4711`)
    const said = `canary-4711${'y'.repeat(length)}`
    expect(toFailure(error, { server: 's', target, said }).message).not.toMatch(/can|ary|4711/)
  }
})
