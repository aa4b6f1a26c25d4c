import { describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../../../local/simulation/environment/app/api-requests.ts'
import { acceptedControls } from '../../../../../local/simulation/invariants/controls/accepted-controls.ts'
import { asked, showWith } from '../made-up-evidence.ts'

const time = (seconds: number) => new Date(seconds * 1000).toISOString()
const recordings = [
  { name: 'program' },
  { name: 'whole', parts: false },
  { name: 'selected', streamMode: 'manual' },
] as object[]
const pauses = [{ id: 'p', recording: 'program', action: 'pause', at: time(500) }]

interface Judged extends Partial<AnsweredRequest> {
  readonly at?: number
  readonly state?: object
}

const judge = (path: string, { at = 1_000, state = {}, ...more }: Judged = {}) =>
  acceptedControls({
    shows: [
      showWith({
        request: { recordings, broadcasts: [{ name: 'live' }] },
        state: { liveAt: time(0), endedAt: time(3_600), ...state } as never,
      }),
    ],
    apiRequests: [asked(at * 1000, { path: `/shows/a-show${path}`, ...more })],
  }).map((problem) => problem.replace(/^.* was carried out, although /, ''))

describe('acceptedControls', () => {
  it('accepts what the show, its state and its document allow', () => {
    expect(judge('/recordings/program/pause')).toEqual([])
    expect(judge('/recordings/program/resume', { state: { pauses } })).toEqual([])
    expect(judge('/broadcasts/live/stop')).toEqual([])
    expect(judge('/broadcasts', { body: '{"name":"second"}' })).toEqual([])
    expect(judge('/signals', { at: 3_605 })).toEqual([])
    expect(
      judge('', {
        method: 'PATCH',
        body: JSON.stringify({ endsAt: time(2_000), streams: [{ recording: 'selected' }] }),
      }),
    ).toEqual([])
    expect(judge('/recordings/unknown/pause', { status: 409 })).toEqual([])
  })

  it('finds pauses of recordings that cannot pause, or are in the other state', () => {
    expect(judge('/recordings/unknown/pause')).toEqual(['the show does not have the recording'])
    expect(judge('/recordings/whole/pause')).toEqual(['the recording has no parts'])
    expect(judge('/recordings/selected/pause')).toEqual(['the platform forgets the streams of the recording'])
    expect(judge('/recordings/program/pause', { state: { pauses } })).toEqual(['the recording was paused'])
    expect(judge('/recordings/program/resume')).toEqual(['the recording was not paused'])
  })

  it('finds broadcasts that the show does not have, and names that are taken', () => {
    const unknown = ['the show does not have the broadcast']
    expect(judge('/broadcasts/unknown/stop')).toEqual(unknown)
    expect(judge('/clips', { body: '{"name":"Clip","last":10,"broadcast":"unknown"}' })).toEqual(unknown)
    expect(judge('/broadcasts', { body: '{"name":"live"}' })).toEqual(['the name of the broadcast is taken'])
  })

  it('finds changes that are impossible', () => {
    const change = (body: object) => judge('', { method: 'PATCH', body: JSON.stringify(body) })
    expect(change({ duration: 604_801 })).toEqual(['it may last seven days'])
    expect(change({ endsAt: time(900) })).toEqual(['its end had passed'])
    expect(change({ layouts: [{ broadcast: 'unknown' }] })).toEqual(['it names what the show does not have'])
    expect(change({ streams: [{ recording: 'program' }] })).toEqual(['its recording selects no streams'])
  })

  it('finds controls after the end, and replacements after the start', () => {
    expect(judge('/signals', { at: 3_700 })).toEqual(['the show had ended'])
    expect(judge('/stop', { at: 3_700 })).toEqual([])
    expect(judge('', { method: 'PUT' })).toEqual(['the show had begun'])
  })

  it('judges the first request of a key', () => {
    const repeated = [500, 700].map((at) => asked(at * 1000, { path: '/shows/a-show/recordings/program/resume' }))
    const show = showWith({
      request: { recordings },
      state: {
        liveAt: time(0),
        pauses: [
          { ...pauses[0], at: time(490) },
          { ...pauses[0], action: 'resume', at: time(500) },
        ],
      } as never,
    })
    expect(acceptedControls({ shows: [show], apiRequests: repeated })).toEqual([])
  })
})
