import { expect, test } from 'vitest'
import { measureContext } from '../../bench/context-cost.ts'

test.each([100, 1000, 10_000])(
  'with %i tools an agent starts under 1,500 tokens and is done under 3,000',
  async count => {
    const { start, conversation } = await measureContext(count)
    expect(start).toBeLessThan(1500)
    expect(conversation).toBeLessThan(3000)
  },
)
