import { describe, expect, it } from 'vitest'
import { shownShows } from '../../../../../local/simulation/invariants/visits/shown-shows.ts'
import { objectsOf, visited } from './visited.ts'

const state = {
  ...{ version: 1, showId: 'a', name: 'Show', status: 'ending', controls: [], closings: 0, timeline: [] },
  recordings: [{ name: 'program', part: 1 }],
  broadcasts: [{ name: 'live', order: { name: 'live' } }],
  dialIns: [],
}
const show = { name: 'Show', callback: { url: 'https://app.example.com' } }
const result = { showId: 'a', status: 'succeeded' }
const objects = objectsOf({
  'shows/a/state.json': state,
  'shows/a/request.json': { show },
  'shows/a/result.json': result,
})
const shown = {
  ...{ showId: 'a', name: 'Show', status: 'succeeded', timeline: [], document: show, result },
  ...{ recordings: [{ name: 'program', part: 1 }], broadcasts: [{ name: 'live' }], dialIns: [] },
}
const nothing = { objects, events: [], callbacks: [], executions: [], trace: [] }
const problemsOf = (address: string, body: unknown) => shownShows({ ...nothing, visits: [visited(address, body)] })

/** A time after every event here, in milliseconds since the epoch. */
const LATER = Date.parse('2030-01-01T00:01:00.000Z')

describe('shownShows', () => {
  it('accepts a show as it is recorded, without what is internal', () => {
    expect(problemsOf('/shows/a', shown)).toEqual([])
  })

  it('finds another status, another field, and an internal one', () => {
    const wrong = { ...shown, status: 'ending', name: 'Other', controls: [], broadcasts: state.broadcasts }
    expect(problemsOf('/shows/a', wrong)).toEqual(
      ['name', 'status', 'broadcasts', 'controls'].map(
        (field) => `the show a is shown with another ${field} than it has`,
      ),
    )
  })

  it('finds a stream of events that differs from the list', () => {
    const items = ['e1', 'e2'].map((id) => ({ id, event: 'show.ended', showId: 'a', at: '2030-01-01T00:00:00.000Z' }))
    const message = (item: object, id = '') => `${id}event: show.ended\ndata: ${JSON.stringify(item)}\n`
    const stream = (...messages: string[]) => ({
      headers: { 'content-type': 'text/event-stream' },
      answer: ['retry: 2000\n', ...messages, ''].join('\n'),
    })
    const judgeAt = (at: number, ...messages: string[]) =>
      shownShows({
        ...nothing,
        visits: [
          visited('/shows/a/events', { items, cursor: 'c2' }, { at }),
          visited('/shows/a/events', undefined, stream(...messages)),
        ],
      })
    const judge = (...messages: string[]) => judgeAt(LATER, ...messages)
    const [first = '', last = ''] = items.map((item, index) => message(item, index === 1 ? 'id: c2\n' : ''))
    expect(judge(first, last)).toEqual([])
    expect(judge(first)).toEqual(['the stream /shows/a/events differs from the list'])
    expect(judge(...items.map((item) => message(item)))).toHaveLength(1)
    expect(judgeAt(Date.parse('2030-01-01T00:00:00.000Z'), first)).toEqual([])
  })

  it('finds events that are listed twice, are missing, or follow the last one', () => {
    const event = { id: 'e1', event: 'show.ended', showId: 'a', at: '2030-01-01T00:00:00.000Z' }
    const emptyAt = (at: number) => [
      visited('/shows/a/events', { items: [] }, { at }),
      visited('/shows/a/events?after=1', { items: [event] }, { at }),
    ]
    const visits = [visited('/shows/a/events', { items: [event, event] }, { at: LATER })]
    const events = [{ 'detail-type': 'show.ended', detail: event }] as never
    expect(shownShows({ ...nothing, events, visits })).toEqual(['the list of events of a has an event twice'])
    const missing = 'the list of events of a lacks show.ended e1'
    expect(shownShows({ ...nothing, events, visits: emptyAt(LATER) })).toEqual([
      missing,
      'the events of a continue after the last one',
    ])
    expect(shownShows({ ...nothing, events, visits: emptyAt(Date.parse(event.at)) })).toEqual([missing])
  })

  it('excuses an event that a fault kept from being recorded', () => {
    const event = { id: 'e1', event: 'secret.invalid', showId: 'a', at: '2030-01-01T00:00:00.000Z', callback: true }
    const at = Date.parse(event.at) + 10_000
    const refused = (error: string) => [
      {
        machine: 'notify',
        input: JSON.stringify({ detail: event }),
        history: [{ type: 'LambdaFunctionFailed', error }],
      },
    ]
    const judge = (error: string, trace: readonly object[], callback = true) =>
      shownShows({
        ...{ ...nothing, visits: [visited('/shows/a/events', { items: [] })], trace: trace as never },
        ...{ events: [{ detail: { ...event, callback } }] as never, executions: refused(error) as never },
      })
    const fault = { at, line: 'fault: SweepShows -> AWSEvents PutEvents delayed', fault: 'delayed' }
    const missing = ['the list of events of a lacks secret.invalid e1']
    expect(judge('EventNotRecordedError', [fault])).toEqual([])
    expect(judge('EventNotRecordedError', [])).toEqual(missing)
    expect(judge('Lambda.Unknown', [fault])).toEqual(missing)
    expect(judge('', [fault], false)).toEqual([])
    expect(judge('', [], false)).toEqual(missing)
  })

  it('finds a delivery that no app received', () => {
    const items = [{ status: 'delivered', event: { id: 'e1' }, attempts: [{ status: 204 }] }]
    expect(problemsOf('/shows/a/deliveries', { items })).toEqual([
      'the event e1 of a is shown as delivered, and was not received',
    ])
  })

  it('finds a page that is live after the end, or links to what is not published', () => {
    const page = { phase: 'live', isSeries: false, live: {}, recordings: [{ path: '/watch/x?expires=1' }] }
    expect(problemsOf('/watch/show/a/state', page)).toEqual([
      'the page of a is in the phase live, and the show ending',
      'the page of a shows a live broadcast after the end',
      'the page of a links to /watch/x?expires=1, which is not published',
    ])
  })
})
