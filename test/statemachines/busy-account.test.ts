import { describe, expect, it } from 'vitest'
import { OUT_OF_MEMORY, PROCESS_ENDED, THROTTLED } from '../../lib/tasks/retries.ts'
import { runBusyAccount } from './busy-account.ts'

const newAccount = { seed: 1, limit: 10, recordings: 3, pieces: 6 }
const succeeded = { status: 'SUCCEEDED' }

/** `npx vitest run --config vitest.machine.config.ts busy-account` runs more seeds. */
describe('an account that runs ten functions at once', () => {
  it.each([
    [1, undefined],
    [2, undefined],
    [1, 5], // with which two of three publishes failed when throttling was retried for a minute
    [2, 5],
  ])('publishes three recordings of an hour beside a show (seed %i, concurrency %s)', async (seed, concurrency) => {
    const { show, publishes, ...seen } = await runBusyAccount({
      ...newAccount,
      seed,
      ...(concurrency && { concurrency }),
    })
    expect([show, ...publishes]).toMatchObject([succeeded, succeeded, succeeded, succeeded])
    expect(seen.mostRunning).toBe(10)
    expect(seen.throttled).toBeGreaterThan(5) // else it would show nothing
    expect(seen.mostEvents).toBeLessThan(1_000)
  })
})

describe('a function that fails again and again', () => {
  const one = { ...newAccount, limit: 1_000, recordings: 1, pieces: 1 }

  it('ends a publish as throttled after half an hour, so that it is started again', async () => {
    const { publishes, failures } = await runBusyAccount({ ...one, failing: { task: 'encodePiece', error: THROTTLED } })
    const [publish] = publishes
    expect(publish).toMatchObject({ status: 'FAILED', error: 'PublishThrottled' })
    expect(publish?.cause).toContain('Raise the Lambda quota "Concurrent executions"')
    expect(publish?.minutes).toBeGreaterThan(20)
    expect(publish?.minutes).toBeLessThan(40)
    expect(failures).toBe(61)
  })

  it.each([
    ['encodePiece', OUT_OF_MEMORY, 3_008], // fails the states around it
    ['encodePiece', PROCESS_ENDED, 3_008],
    ['inspectRecording', OUT_OF_MEMORY, 512], // has a catcher of its own
  ] as const)('is repeated once without memory, and named with what it had (%s, %s)', async (task, error, memory) => {
    const { publishes, failures } = await runBusyAccount({ ...one, failing: { task, error } })
    expect(publishes).toMatchObject([{ status: 'FAILED', error: 'PublishFailed' }])
    const name = task.charAt(0).toUpperCase() + task.slice(1)
    expect(publishes[0]?.cause).toBe(
      `The function ${name} ended before it answered, probably because its memory of ${memory} MB was used up. ` +
        `Raise the setting memory.tasks.${task} and deploy: see docs/deploy.md, Limits of the account.`,
    )
    expect(failures).toBe(2)
  })
})
