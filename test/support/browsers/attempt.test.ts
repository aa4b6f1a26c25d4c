import { describe, expect, it } from 'vitest'
import { attempt } from './attempt.ts'

/** Runs a check that always fails, ten seconds long. Returns how often it ran. */
async function attemptsOf(lateShare: number, attempts = 4): Promise<number> {
  let [now, runs] = [0, 0]
  const check = async () => {
    now += 10_000
    runs++
    throw new Error(`attempt ${runs}`)
  }
  const lateSince = (from: number) => lateShare * (now - from)
  const failure = await attempt(check, { attempts, clock: { now: () => now }, lateSince }).catch(
    (error: Error) => error,
  )
  expect(failure).toMatchObject({ message: `attempt ${runs}` })
  return runs
}

describe('attempt', () => {
  it('fails a defect after its attempts, with the error of the last', async () => {
    expect(await attemptsOf(0)).toBe(4)
    expect(await attemptsOf(0.1, 2)).toBe(2)
  })

  it('does not count attempts of a busy machine, but ends', async () => {
    expect(await attemptsOf(0.9)).toBe(48 + 3)
  })

  it('passes with the first check that passes', async () => {
    let runs = 0
    await attempt(async () => expect(++runs).toBe(3), { lateSince: () => 0 })
    expect(runs).toBe(3)
  })
})
