import { describe, expect, it } from 'vitest'
import { runPolled } from '../../../bench/orchestration/polled-show.ts'

describe('runPolled', () => {
  it('polls each archive and each broadcast every five seconds until it is over', async () => {
    const { seconds: _, ...usage } = await runPolled({ duration: 600, recordings: 2, broadcasts: 1 })
    const polls = 120 // of each of three
    expect(usage).toEqual({
      executions: 3,
      failed: 0,
      invocations: 3 * polls,
      transitions: 3 * (3 * polls + 1), // wait, look, ask; and the end
      longest: 9 * polls + 4, // and the beginning and the end of the execution, and its last state
    })
  })

  it('breaks the quota of a history within four hours, and continues in another part of the recording', async () => {
    const { executions, failed, invocations, longest } = await runPolled({
      duration: 18_000,
      recordings: 1,
      broadcasts: 0,
    })
    expect(failed).toBe(1) // of the first part, which the platform ends after four hours
    expect(executions).toBe(3)
    expect(longest).toBeGreaterThan(25_000)
    expect(invocations).toBe(18_000 / 5)
  })
})
