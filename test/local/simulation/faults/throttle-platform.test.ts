import { describe, expect, it } from 'vitest'
import { throttlePlatform } from '../../../../local/simulation/faults/throttle-platform.ts'

const call = (now: number, target: 'platform' | 'aws' = 'platform') =>
  ({ caller: 'WatchShow', target, operation: `${target} listArchives`, occurrence: 1, now, site: '' }) as const

describe('throttlePlatform', () => {
  it('answers 429 to the calls of a second beyond the limit, and to no other service', () => {
    const decide = throttlePlatform(2, () => undefined)
    const kinds = [0, 10, 20, 999, 1_000, 1_005, 1_010].map((now) => decide(call(now))?.kind)
    expect(kinds).toEqual([undefined, undefined, '429', '429', undefined, '429', undefined])
    expect(decide(call(1_011, 'aws'))).toBeUndefined()
  })

  it('leaves the faults of the other calls to another decision', () => {
    const decide = throttlePlatform(1, () => ({ kind: '500' }))
    expect([decide(call(0)), decide(call(1)), decide(call(2, 'aws'))]).toEqual([
      { kind: '500' },
      { kind: '429' },
      { kind: '500' },
    ])
  })
})
