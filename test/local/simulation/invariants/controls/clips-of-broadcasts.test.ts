import { describe, expect, it } from 'vitest'
import { clipsOfBroadcasts } from '../../../../../local/simulation/invariants/controls/clips-of-broadcasts.ts'
import { asked, change, faultAt, showWith } from '../made-up-evidence.ts'
import { objectsOf } from '../visits/visited.ts'

const time = (seconds: number) => new Date(seconds * 1000).toISOString()
const markerAt = (at: number) => ({ id: `m${at}`, title: `At ${at}`, at: time(at) })
const PATH = '/shows/a-show/clips'

/** Judges a clip that was requested after 500 s. By default the last 20 s were ordered. Markers are at seconds. */
const judge = (
  from: number,
  to: number,
  { begins = 0, status = 202, order = { last: 20 } as object, marks = [] as number[] } = {},
) =>
  clipsOfBroadcasts({
    shows: [showWith({ state: { liveAt: time(0), markers: marks.map(markerAt) } })],
    ...{ objects: new Map(), trace: [] },
    statusChanges: [change(0), change(begins, { id: 'two', tag: 'a-show/program/2' })],
    apiRequests: [
      ...marks.map((at) =>
        asked(at * 1000, { path: '/shows/a-show/markers', body: JSON.stringify({ label: `At ${at}` }) }),
      ),
      asked(500_000, { path: PATH, body: JSON.stringify(order), status, answer: JSON.stringify({ from, to }) }),
    ],
  })

describe('clipsOfBroadcasts', () => {
  it('accepts what was ordered, and less where a broadcast begins later', () => {
    expect(judge(475, 495)).toEqual([])
    expect(judge(487, 495, { begins: 485_000 })).toEqual([])
    expect(judge(0, 1, { status: 409 })).toEqual([])
  })

  it('accepts the seconds that were ordered, and an end shortly before them', () => {
    expect(judge(100, 120, { order: { from: 100, to: 120 } })).toEqual([])
    expect(judge(100, 110, { order: { from: 100, to: 120 } })).toEqual([])
    expect(judge(90, 110, { order: { from: 'last marker' } })).toEqual([])
  })

  it('finds a clip since the last marker that begins at another time', () => {
    const judgeMarked = (from: number, ...marks: number[]) =>
      judge(from, from + 20, { order: { from: 'last marker' }, marks })
    expect(judgeMarked(90, 30, 90)).toEqual([])
    expect(judgeMarked(30, 30, 90)).toEqual(['a clip of the show a-show begins at 30 s, and not at its last marker'])
    expect(judgeMarked(30, 30, 600)).toEqual([])
    expect(judgeMarked(30, 90, 495)).toEqual([])
  })

  it.each([
    [99, 120, 'begins at 99 s, and not at 100 s'],
    [100, 121, 'ends at 121 s, and not at 120 s'],
    [100, 105, 'ends at 105 s, and not at 120 s'],
  ])('finds a clip from %i to %i s, where 100 to 120 s were ordered', (from, to, problem) => {
    expect(judge(from, to, { order: { from: 100, to: 120 } })).toEqual([`a clip of the show a-show ${problem}`])
  })

  it.each([
    [470, 495, 'lasts 25 s, and not 20 s'],
    [487, 495, 'lasts 8 s, although 20 s are kept'],
    [400, 420, 'ends long before it was requested'],
    [540, 560, 'ends after it was requested'],
  ])('finds a clip from %i to %i s', (from, to, problem) => {
    expect(judge(from, to)).toEqual([`a clip of the show a-show ${problem}`])
  })

  it('finds a clip that waits for its recording while its broadcast can be read', () => {
    const queued = { showId: 'a-show', broadcast: 'live' }
    const clip = { clipId: 'c', queued, createdAt: time(60) }
    const shows = [showWith()]
    let trace = [faultAt(-1)]
    const judgeBroadcast = (id: string, from: number, ...ends: number[]) => {
      const live = { kind: 'broadcast', id, tag: 'a-show/live/1' } as const
      const statusChanges = [change(from, live), ...ends.map((end) => change(end, { ...live, status: 'stopped' }))]
      const objects = objectsOf({ 'recordings/one/clips/c/clip.json': clip })
      return clipsOfBroadcasts({ shows, objects, statusChanges, apiRequests: [], trace })
    }
    expect(judgeBroadcast('ff', 0)).toEqual([
      'the clip c waits for its recording, although the broadcast live can be read',
    ])
    expect([...judgeBroadcast('00', 0), ...judgeBroadcast('ff', 50_000), ...judgeBroadcast('ff', 0, 55_000)]).toEqual(
      [],
    )
    trace = [faultAt(30_000)] // of a download
    expect(judgeBroadcast('ff', 0)).toEqual([])
  })

  it('finds a clip that waits for a recording without HLS', () => {
    const queued = { showId: 'a-show', broadcast: 'live' }
    const objects = objectsOf({
      'recordings/one/clips/c/clip.json': { clipId: 'c', archiveId: 'one', queued, createdAt: time(60) },
    })
    const judgeOrder = (publish: object, outputMode = 'composed') => {
      const recordings = [{ name: 'program', outputMode, publish }]
      const request = { recordings, publish: { formats: ['hls'], access: 'signed' } }
      return clipsOfBroadcasts({
        ...{ shows: [showWith({ request })], objects, statusChanges: [change(0)], apiRequests: [], trace: [] },
      })
    }
    const problem = 'the clip c waits for the recording program, which is published without HLS'
    expect(judgeOrder({ formats: ['poster'] })).toEqual([problem])
    expect(judgeOrder({}, 'individual')).toEqual([problem])
    expect([...judgeOrder({}), ...judgeOrder({ formats: ['hls', 'composite'] }, 'individual')]).toEqual([])
  })
})
