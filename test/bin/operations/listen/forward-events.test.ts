import { describe, expect, it } from 'vitest'
import { forwardEvents } from '../../../../bin/operations/listen/forward-events.ts'
import { createSteppedClock } from '../../../../lib/clock.ts'
import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import { ended } from './listen-cloud.ts'

/** Forwards one event to an app that first fails, and returns the seconds of the deliveries. */
async function forward(retry: number | undefined, isRetryable = true, failures = 2): Promise<string[]> {
  const clock = createSteppedClock(0)
  const interruption = new AbortController()
  const arriving: OwnerEvent[][] = [[ended]]
  const delivered: string[] = []
  let left = failures
  const done = forwardEvents({
    subscription: { receive: async () => arriving.shift() ?? [] },
    forward: async () => ({ ms: 0, isRetryable: isRetryable && left-- > 0 }),
    ...{ retry, wait: 0, clock, signal: interruption.signal },
    onDelivery: ({ id }, { isGivenUp }, attempt) =>
      delivered.push(`${clock.now() / 1000} s: ${id} ${attempt}${isGivenUp ? ', given up' : ''}`),
  })
  await clock.advance((retry ?? 10) * 12_000)
  interruption.abort(new Error('Interrupted.'))
  await expect(done).rejects.toThrow('Interrupted.')
  return delivered
}

describe('forwardEvents', () => {
  it('repeats what the app did not accept, until it does', async () => {
    const attempts = ['0 s: demo/show.ended 1', '10 s: demo/show.ended 2', '20 s: demo/show.ended 3']
    expect(await forward(10)).toEqual(attempts)
  })

  it('delivers once by default, and what a deployment would not repeat', async () => {
    expect(await forward(undefined)).toEqual(['0 s: demo/show.ended 1'])
    expect(await forward(10, false)).toEqual(['0 s: demo/show.ended 1'])
  })

  it('gives an event up after ten attempts', async () => {
    const delivered = await forward(1, true, Number.POSITIVE_INFINITY)
    expect(delivered).toHaveLength(10)
    expect(delivered.slice(-2)).toEqual(['8 s: demo/show.ended 9', '9 s: demo/show.ended 10, given up'])
  })

  it('gives an event up after an hour', async () => {
    const delivered = await forward(1800, true, Number.POSITIVE_INFINITY)
    expect(delivered).toEqual([
      ...['0 s: demo/show.ended 1', '1800 s: demo/show.ended 2', '3600 s: demo/show.ended 3, given up'],
    ])
  })
})
