// Tests of what a sandbox does need one.
import { test } from 'vitest'
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts'

/** Whether programs can be sandboxed here. Where tests are a gate it throws instead: a skipped test must not look like a passed one. */
async function findSandbox(): Promise<boolean> {
  const probe = await probeSandbox()
  if (probe.kind !== 'none') return true
  if (process.env['CI'] === 'true') throw new Error(`These tests need a sandbox: ${probe.why} ${probe.remedy}`)
  console.warn(`NOT RUN, since they need a sandbox: ${probe.why} ${probe.remedy}`)
  return false
}

/** A test that runs where there is a sandbox. */
export const sandboxedTest = test.runIf(await findSandbox())
