import { describe, expect, it } from 'vitest'
import { playedBroadcasts } from '../../../../../../local/simulation/invariants/visits/pages/played-broadcasts.ts'
import { change, showWith, watchFaultAt } from '../../made-up-evidence.ts'
import { visited } from '../visited.ts'

const part = (number: number) => ({
  ...{
    name: 'live',
    part: number,
    tag: `a-show/live/${number}`,
    broadcastId: `b${number}`,
    hls: `https://p/${number}`,
  },
})
const changeOf = (number: number, at: number, status = 'started') =>
  change(at, { kind: 'broadcast', id: `b${number}`, tag: `a-show/live/${number}`, status })
const statusChanges = [changeOf(1, 0), changeOf(1, 100_000, 'failed'), changeOf(2, 130_000)]
const judge = (playlist: string, at: number, failedCalls: ReturnType<typeof watchFaultAt>[] = []) =>
  playedBroadcasts({
    shows: [showWith({ state: { broadcasts: [part(1), part(2)] } as never })],
    visits: [visited('/watch/show/a-show/state?expires=1', { live: { playlist } }, { at, isAtRest: false })],
    ...{ statusChanges, trace: [], failedCalls },
  })

describe('playedBroadcasts', () => {
  it('finds a page that plays a part which has failed, while the next one runs', () => {
    expect(judge('https://p/1', 300_000)).toEqual([
      'the page of a-show plays a part that has ended at 1970-01-01T00:05:00.000Z',
    ])
    expect(judge('https://p/2', 300_000)).toEqual([])
  })

  it('waits until polls have noted the next part, and after a fault', () => {
    expect(judge('https://p/1', 200_000)).toEqual([])
    expect(judge('https://p/1', 300_000, [watchFaultAt(150_000)])).toEqual([])
  })
})
