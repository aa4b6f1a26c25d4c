import { describe, expect, it } from 'vitest'
import type { KnownRecording, Show, TimelineEvent } from '../../../../web/console/answers.ts'
import { resourceLines } from '../../../../web/console/outputs/resource-lines.ts'
import { endedShow, liveShow, publishedRecording } from '../documents.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 20, minutes)).toISOString()

const show = (changes: Partial<Show> = {}): Show =>
  liveShow({ acceptedAt: at(0), liveAt: at(0), plannedEndAt: at(60), ...changes })
const over = endedShow(show())

const known = (changes: Partial<KnownRecording> = {}): KnownRecording => ({
  ...publishedRecording({
    createdAt: at(0),
    source: { key: 'k', size: 6_000_000, sha256: null, url: 'http://127.0.0.1:1/k' },
  }),
  linkedAt: 0,
  ...changes,
})

describe('resourceLines', () => {
  const states = (...[one, recordings]: Parameters<typeof resourceLines>) =>
    resourceLines(one, recordings).map(({ state }) => state)

  it('reports each state from start to end', () => {
    expect(states(show(), [])).toEqual(['started', 'started'])
    expect(states(over, [])).toEqual(['arrived', 'stopped'])
    expect(states(over, [known({ status: 'ready' })])).toEqual(['published, more files are being produced', 'stopped'])
    expect(states(over, [known()])).toEqual(['published', 'stopped'])
  })

  it('lets a running broadcast be stopped, and reports until when it ran', () => {
    const line = (changes: object) =>
      resourceLines(show({ broadcasts: [{ ...live, ...changes }] }), [], { timeZone: 'UTC' }).find(
        ({ kind }) => kind === 'Broadcast',
      )
    const live = { name: 'live', part: 1, tag: 'a/live/1', broadcastId: 'b', createdAt: at(1), status: 'started' }
    expect(line({})).toMatchObject({ stoppable: 'live', facts: 'since 20:01:00' })
    expect(line({ stopAskedAt: at(5) })).toMatchObject({ stoppable: undefined, state: 'stopping' })
    const stopped = { stopAskedAt: at(5), status: 'stopped' }
    expect(line(stopped)).toMatchObject({ stoppable: undefined, state: 'stopped', facts: '20:01:00 to 20:05:00' })
  })

  it('reports problems', () => {
    const lost = { name: 'program', part: 1, tag: 'a/program/1', archiveId: '1', status: 'failed', lost: 'It failed.' }
    const result = { reason: '', recordings: [lost], broadcasts: [], scenes: [], dialIns: [] }
    expect(resourceLines(show({ status: 'failed', result }), [])).toMatchObject([
      { state: 'failed', problem: 'It failed.' },
    ])
  })

  it('reports no loss in a cancelled show', () => {
    const recording = { name: 'program', part: 1, tag: 'a/program/1' }
    const lost = { ...recording, lost: 'It was never started.' }
    const result = { reason: 'No participant connected.', recordings: [lost], broadcasts: [], scenes: [], dialIns: [] }
    expect(resourceLines(show({ status: 'cancelled', recordings: [recording], result }), [])).toMatchObject([
      { state: 'not started', problem: undefined },
    ])
  })

  it('reports each part with its own outcome', () => {
    const parts = [1, 2].map((part) => ({ name: 'program', part, tag: `a/program/${part}`, archiveId: `${part}` }))
    const recordings = [{ ...parts[0], key: 'k' } as never, { ...parts[1], lost: 'It failed.' } as never]
    const result = { reason: '', recordings, broadcasts: [], scenes: [], dialIns: [] }
    expect(resourceLines(show({ status: 'failed', recordings: parts, result }), [])).toMatchObject([
      { name: 'program', state: 'arrived', problem: undefined },
      { name: 'program (part 2)', problem: 'It failed.' },
    ])
  })

  it('reports each RTMP server', () => {
    const rtmp = [
      { id: 'youtube', status: 'live' as const },
      { id: 'backup', status: 'offline' as const },
    ]
    const broadcasts = [{ name: 'live', part: 1, tag: 'a/live/1', status: 'live' as const, rtmp }]
    expect(resourceLines(show({ broadcasts, recordings: [] }), [])).toMatchObject([
      { kind: 'Broadcast', state: 'live' },
      { kind: 'RTMP', name: 'live to youtube', state: 'live', problem: undefined },
      { name: 'live to backup', state: 'offline', problem: 'The server does not receive the broadcast.' },
    ])
  })

  it('reports scenes and dial-ins', () => {
    const scenes = [{ name: 'lobby', status: 'failed', reason: 'The page does not load.' }]
    const dialIns = [{ name: 'press', problem: 'It was refused.' }]
    expect(resourceLines(show({ scenes, dialIns, recordings: [], broadcasts: [] }), [])).toMatchObject([
      { kind: 'Scene', name: 'lobby', state: 'failed', problem: 'The page does not load.' },
      { kind: 'Dial-in', name: 'press', state: 'pending', problem: 'It was refused.' },
    ])
  })

  it('distinguishes what never started from what is pending', () => {
    const bare = { recordings: [{ name: 'program', part: 1, tag: 't' }], broadcasts: [] }
    expect(states(show({ status: 'starting', ...bare }), [])).toEqual(['pending'])
    expect(states(show({ status: 'failed', ...bare }), [])).toEqual(['not started'])
  })

  it('reports since when each output runs, its parts, reconnects and bitrate', () => {
    const facts = (...[one, recordings = []]: [Show, KnownRecording[]?]) =>
      resourceLines(one, recordings, { timeZone: 'UTC' }).map((line) => line.facts)
    const parts = [1, 2].map((part) => ({
      ...{ name: 'program', part, tag: `a/program/${part}`, archiveId: `${part}`, createdAt: at(part * 10) },
      ...(part === 1 && { stoppedAt: at(21) }),
    }))
    expect(facts(show({ recordings: parts, broadcasts: [] }))).toEqual([
      '20:10:00 to 20:21:00',
      'since 20:20:00 · 2 parts',
    ])
    const event = (what: string, minutes: number): TimelineEvent => ({
      ...{ at: at(minutes), what, name: 'live', part: 1, id: 'youtube' },
    })
    const timeline = [event('output.live', 1), event('output.reconnecting', 5), event('output.recovered', 6)]
    const rtmp = [{ id: 'youtube', status: 'live' as const }]
    const broadcasts = [{ ...{ name: 'live', part: 1, tag: 't', createdAt: at(0), status: 'live' as const }, rtmp }]
    expect(facts(show({ recordings: [], broadcasts, timeline }))).toEqual([
      'since 20:00:00',
      'since 20:06:00 · 1 reconnect',
    ])
    expect(facts(over, [known()])[0]).toBe('2.4\u00a0Mbit/s')
  })

  it('reports the frame rate and the bitrate of a running broadcast as its playlist has them', () => {
    const measured = new Map([['a/live/1', { framesPerSecond: 29.97, kilobits: 850.4 }]])
    expect(resourceLines(show(), [], { measured }).map(({ facts }) => facts)).toEqual([
      undefined,
      '30\u00a0fps · 850\u00a0kbit/s',
    ])
    const played = { tag: 'a/program/1', framesPerSecond: 25 }
    expect(resourceLines(show(), [], { played }).map(({ facts }) => facts)).toEqual(['25\u00a0fps', undefined])
  })
})

describe('resourceLines of a recording that can be paused', () => {
  const [pause, paused] = [
    { at: at(10), what: 'control.pause', name: 'program' },
    { at: at(11), what: 'recording.paused', name: 'program', part: 1 },
  ]
  const resume = { at: at(12), what: 'control.resume', name: 'program' }
  const line = (changes: Partial<Show>) =>
    resourceLines(show({ broadcasts: [], ...changes }), [], { timeZone: 'UTC' }).at(-1)
  const stopped = { name: 'program', part: 1, tag: 'a/program/1', archiveId: '1', status: 'uploaded' as const }

  it('is paused while it runs, and resumed while it is paused', () => {
    expect(line({})).toMatchObject({ state: 'started', pause: { action: 'pause' } })
    expect(line({ timeline: [pause] })).toMatchObject({ state: 'pausing', pause: { action: 'resume' } })
    expect(line({ recordings: [stopped], timeline: [paused, pause] })).toMatchObject({
      ...{ state: 'paused', facts: 'since 20:11:00', pause: { action: 'resume' } },
    })
    expect(line({ recordings: [stopped], timeline: [paused, pause, resume] })?.state).toBe('resuming')
    expect(line({ recordings: [stopped], timeline: [paused, pause, resume] })?.pause?.action).toBeUndefined()
  })

  it('has the button on its newest part, once it has resumed', () => {
    const next = { ...stopped, part: 2, tag: 'a/program/2', archiveId: '2', status: 'started' as const }
    const lines = resourceLines(
      show({ recordings: [stopped, next], broadcasts: [], timeline: [paused, pause, resume] }),
      [],
    )
    expect(lines.map((one) => [one.state, one.pause?.action])).toEqual([
      ['uploaded', undefined],
      ['started', 'pause'],
    ])
  })

  it('has no button if the API refuses pauses', () => {
    const orders = [
      { name: 'program', parts: false },
      { name: 'program', streamMode: 'manual' },
    ]
    for (const order of orders)
      expect(line({ document: { recordings: [order] } as unknown as Show['document'] })?.pause).toBeUndefined()
    expect(line({ status: 'ending' })?.pause).toBeUndefined()
  })
})
