import { describe, expect, it } from 'vitest'
import { refusedControls } from '../../../../../local/simulation/invariants/controls/refused-controls.ts'
import { asked, change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const time = (seconds: number) => new Date(seconds * 1000).toISOString()
const live = {
  ...{ liveAt: time(0), plannedEndAt: time(3_600), endedAt: time(3_600) },
  timeline: [{ what: 'recording.started', name: 'program', part: 1, at: time(1) }],
}
const refused = (problem: string, { path = '/recordings/program/pause', at = 1_000, ...more } = {}) =>
  asked(at * 1000, {
    path: `/shows/a-show${path}`,
    status: 409,
    answer: JSON.stringify({ type: `https://example.com/problems#${problem}`, detail: '', ...more }),
  })
const judge = (
  request: ReturnType<typeof asked>,
  { state = {}, failedCalls = [watchFaultAt(9_999_999)], recordings = [{ name: 'program' }] as object[] } = {},
) =>
  refusedControls({
    shows: [showWith({ request: { recordings }, state: { ...live, ...state } as never })],
    apiRequests: [request],
    statusChanges: [change(0), change(3_600_000, { status: 'stopped' })],
    trace: [],
    failedCalls,
  })

describe('refusedControls', () => {
  it('finds a refusal by the state of a show that was live', () => {
    const request = refused('wrong-show-state')
    expect(judge(request)).toEqual([
      'POST /shows/a-show/recordings/program/pause was refused at 1970-01-01T00:16:40.000Z, although the show was live',
    ])
    expect(judge(request, { state: { stopAskedAt: time(900) } })).toEqual([])
    expect(judge(refused('wrong-show-state', { at: 2 }))).toEqual([])
    expect(judge(refused('wrong-show-state', { at: 3_599 }))).toEqual([])
  })

  it('finds a refusal by another state of the recording', () => {
    const pauses = [{ id: 'p', recording: 'program', action: 'pause', at: time(500) }]
    const already = refused('wrong-recording-state', { detail: 'The recording program is paused already.' } as object)
    expect(judge(already)).toHaveLength(1)
    expect(judge(already, { state: { pauses } })).toEqual([])
    const not = refused('wrong-recording-state', { detail: 'The recording program is not paused.' } as object)
    expect(judge(not, { state: { pauses } })).toHaveLength(1)
    expect(judge(not)).toEqual([])
  })

  it('finds a recording that is said not to run, unless a fault may hide it', () => {
    const request = refused('wrong-recording-state', { detail: 'The recording program is not running.' } as object)
    expect(judge(request)).toHaveLength(1)
    expect(judge(request, { failedCalls: [watchFaultAt(800_000)] })).toEqual([])
  })

  it('finds a refusal of what the document allows', () => {
    const request = refused('change-refused')
    expect(judge(request)).toHaveLength(1)
    expect(judge(request, { recordings: [{ name: 'program', parts: false }] })).toEqual([])
    expect(judge(request, { recordings: [{ name: 'another' }] })).toEqual([])
  })

  it('finds a name that is said to be taken, and is not', () => {
    const request = { ...refused('name-taken', { path: '/dial-ins' }), body: '{"name":"guest"}' }
    expect(judge(request)).toEqual([
      'POST /shows/a-show/dial-ins was refused at 1970-01-01T00:16:40.000Z, although nothing had the name',
    ])
    expect(judge(request, { state: { dialIns: [{ name: 'guest', askedAt: time(10) }] } })).toEqual([])
    expect(judge(request, { state: { dialIns: [{ name: 'guest' }] } })).toHaveLength(1)
  })

  it('finds a refused end that is far enough ahead', () => {
    const problems = [{ path: 'duration', message: 'is before the next poll of the show, at …' }]
    const move = (duration: number) => ({
      ...refused('change-refused', { path: '', problems } as object),
      ...{ method: 'PATCH', body: JSON.stringify({ duration }) },
    })
    expect(judge(move(1_100))).toHaveLength(1)
    expect(judge(move(1_030))).toEqual([])
    expect(judge(move(1_030), { state: { plannedEndAt: time(1_020) } })).toHaveLength(1)
  })

  it('finds a repetition that is refused because of the note of its first attempt', () => {
    const answer = JSON.stringify({
      type: 'https://example.com/problems#wrong-recording-state',
      detail: 'is paused already.',
    })
    const path = '/shows/a-show/recordings/program/pause'
    const first = asked(500_000, { path, status: 500, answer: '' })
    const repetition = asked(510_000, { path, status: 409, answer })
    const pauses = [{ id: 'p', recording: 'program', action: 'pause', at: time(500) }]
    const found = (...apiRequests: ReturnType<typeof asked>[]) =>
      refusedControls({
        shows: [showWith({ request: { recordings: [{ name: 'program' }] }, state: { ...live, pauses } as never })],
        ...{ apiRequests, statusChanges: [], trace: [], failedCalls: [] },
      })
    expect(found(first, repetition).join()).toContain('although its first attempt had noted it')
    expect(found({ ...first, status: 200 }, repetition)).toEqual([])
    expect(found({ ...first, key: 'another' }, repetition)).toEqual([])
    expect(found(first, { ...first, key: 'another' }, repetition)).toEqual([])
  })
})
