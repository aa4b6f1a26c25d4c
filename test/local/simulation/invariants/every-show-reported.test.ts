import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../../local/simulation/invariants/evidence.ts'
import { against, broken, ended, HOUR, well, withResult, withShow } from './made-up-world.ts'

describe('every show reported', () => {
  it.each<[string, Partial<Evidence>]>([
    ['the show a-show has no result: its state is succeeded', { shows: [{ ...well, result: undefined }] }],
    ['the show a-show ended as live', withResult({ status: 'live' as never })],
    ['the show a-show is failed by its result and succeeded by its state', withResult({ status: 'failed' })],
    [
      'the show a-show took 172800 s where at most 15120 s are expected',
      withResult({ reportedAt: new Date(48 * HOUR).toISOString() }),
    ],
    ['the event bus has no show.ended of the show a-show', { events: [] }],
    [
      'https://app.example.com/ received no show.ended of the show a-show',
      withShow({ callback: { url: 'https://app.example.com/' } }),
    ],
    [
      'the id e1 stands for show.ended a-show    and for show.ended b-show',
      { events: [ended, { ...ended, detail: { id: 'e1', showId: 'b-show' } }] },
    ],
    ['an event show.ended has no id to deduplicate by', { events: [{ ...ended, detail: { showId: 'a-show' } }] }],
  ])('finds that %s', (detail, more) => {
    expect(broken(more).replace(/ +/g, ' ')).toContain(`every show reported: ${detail}`.replace(/ +/g, ' '))
  })

  it('accepts a callback that was received, or that the app refused', () => {
    const asked = withShow({ callback: { url: 'https://app.example.com/' } })
    const body = JSON.stringify({ id: 'e1', event: 'show.ended', showId: 'a-show' })
    const callbacks = [{ at: 0, url: 'https://app.example.com/', headers: {}, body }]
    expect(broken({ ...asked, callbacks })).not.toContain('received no show.ended')
    expect(
      against({
        ...asked,
        trace: [{ at: 0, line: '', call: { caller: 'NotifyOwner', name: 'app POST /', status: 410 } }],
      }),
    ).toEqual([])
  })
})
