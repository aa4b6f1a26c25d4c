import { describe, expect, it } from 'vitest'
import type { FailedCall } from '../../../../../local/simulation/faults/faults.ts'
import { platformCallbacks } from '../../../../../local/simulation/invariants/callbacks/platform-callbacks.ts'

const event = (id: string, seconds: number) => ({ time: new Date(seconds * 1000).toISOString(), detail: { id } })
const judge = (posts: number, events: ReturnType<typeof event>[], failedCalls: FailedCall[] = []) =>
  platformCallbacks({
    ...{
      postedCallbacks: new Set(Array.from({ length: posts }, (_, index) => String(index))),
      messages: [],
      failedCalls,
    },
    platformEvents: events as never,
  })

describe('platformCallbacks', () => {
  it('finds a callback that was accepted and is not published', () => {
    expect(judge(2, [event('one', 0)])).toEqual(['1 callbacks of the platform were accepted and not published'])
    expect(judge(2, [event('one', 0), event('two', 1)])).toEqual([])
  })

  it('finds a callback that is published and was not accepted', () => {
    expect(judge(1, [event('one', 0), event('two', 1)])).toEqual([
      '1 more callbacks of the platform were published than were accepted',
    ])
  })

  it('finds a callback that is published again long after it was handled', () => {
    const again = [event('one', 0), event('one', 60)]
    expect(judge(1, again)).toHaveLength(1)
    expect(judge(1, [event('one', 0), event('one', 20)])).toEqual([])
    const killed = { caller: 'HandleCallback', operation: 's3 PutObject', kind: 'killed before', at: 0 } as const
    expect(judge(1, again, [killed])).toEqual([])
  })
})
