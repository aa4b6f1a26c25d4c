import { describe, expect, it } from 'vitest'
import { outputStatesOf } from '../../../../lib/show/run/observed-entries.ts'

describe('outputStatesOf', () => {
  const of = (rtmp: unknown) => outputStatesOf({ broadcastUrls: { rtmp } } as never)
  const server = { serverUrl: 'rtmp://example.com', streamName: 'key' }
  it('reads a list as well as an object by id', () => {
    expect(of([{ ...server, id: 'a', status: 'live' }])).toEqual([{ id: 'a', status: 'live' }])
    expect(of({ a: { ...server, status: 'error' } })).toEqual([{ id: 'a', status: 'error' }])
    expect(outputStatesOf({ broadcastUrls: null } as never)).toEqual([])
  })
})
