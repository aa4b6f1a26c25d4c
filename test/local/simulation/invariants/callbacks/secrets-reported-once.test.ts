import { describe, expect, it } from 'vitest'
import { secretsReportedOnce } from '../../../../../local/simulation/invariants/callbacks/secrets-reported-once.ts'
import { asked } from '../made-up-evidence.ts'

const report = (id: string, hours: number, more: object = {}) => ({
  'detail-type': 'secret.invalid',
  detail: {
    ...{ event: 'secret.invalid', id, showId: 'a-show', name: 'callback.secret', reason: 'It is missing.' },
    at: new Date(hours * 3_600_000).toISOString(),
    ...more,
  },
})
const judge = (events: object[], apiRequests = [asked(0)]) =>
  secretsReportedOnce({ events: events as never, apiRequests })

describe('secretsReportedOnce', () => {
  it('finds a secret that is reported at each check', () => {
    expect(judge([report('one', 1), report('two', 2)])).toEqual([
      'the show a-show reported 2 times that callback.secret is unusable',
    ])
  })

  it('accepts an event that arrives twice, another secret, and another show', () => {
    expect(judge([report('one', 1), report('one', 1)])).toEqual([])
    expect(judge([report('one', 1), report('two', 2, { name: 'broadcasts[0].rtmp[0].streamName' })])).toEqual([])
    expect(judge([report('one', 1), report('two', 2, { reason: 'It is too short.' })])).toEqual([])
    expect(judge([report('one', 1), report('two', 2, { showId: 'another' })])).toEqual([])
  })

  it('accepts another report of a show whose document was replaced', () => {
    const replaced = (path: string) => [asked(1.5 * 3_600_000, { method: 'PUT', path })]
    expect(judge([report('one', 1), report('two', 2)], replaced('/shows/a-show'))).toEqual([])
    expect(judge([report('one', 1), report('two', 2)], replaced('/shows/another'))).toHaveLength(1)
  })
})
