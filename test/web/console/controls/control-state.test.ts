import { describe, expect, it } from 'vitest'
import { controls } from '../../../../lib/api/controls.ts'
import { show as showDocument } from '../../../../lib/show/document/show.ts'
import { isTerminal, showStatuses } from '../../../../lib/show/state/state.ts'
import type { ListedStream } from '../../../../web/console/answers.ts'
import {
  allowedDuring,
  broadcastOrderOf,
  type ControlName,
  chosenOutputs,
  commonLayout,
  describeControl,
  freeName,
  invitationUntil,
  movedEnd,
  outputKey,
  outputsOf,
  reasonAgainst,
  streamCount,
  streamLines,
  targetOf,
  withStreamNames,
} from '../../../../web/console/controls/control-state.ts'

const document = showDocument.parse({
  version: 1.1,
  name: 'Launch',
  duration: 60,
  recordings: [
    { name: 'program', layout: { type: 'pip' } },
    { name: 'tracks', outputMode: 'individual' },
    { name: 'sound', hasVideo: false },
    { name: 'chosen', streamMode: 'manual' },
  ],
  broadcasts: [{ name: 'live', hls: {} }],
})
const part = (name: string, changes: object = {}) => ({
  name,
  part: 1,
  tag: name,
  status: 'started' as const,
  ...changes,
})
const show = {
  document,
  recordings: ['program', 'tracks', 'sound', 'chosen'].map((name) => part(name)),
  broadcasts: [part('live')],
}

const stream = (streamId: string, changes: Partial<ListedStream> = {}): ListedStream => ({
  ...{ streamId, name: 'Ada', videoType: 'camera', layoutClasses: [] },
  ...changes,
})
const at = '2026-03-01T10:00:05Z'

describe('allowedDuring', () => {
  it('has the statuses in which the API carries out each control', () => {
    const { invite: _, ...others } = allowedDuring
    const names = Object.keys(others) as Exclude<ControlName, 'invite'>[]
    expect(others).toEqual(Object.fromEntries(names.map((name) => [name, controls[name].during])))
  })
})

describe('reasonAgainst', () => {
  const reasons = (control: ControlName) =>
    Object.fromEntries(showStatuses.map((status) => [status, reasonAgainst(control, { status })]))

  it('gives a reason in every status in which the API refuses a control', () => {
    for (const control of Object.keys(allowedDuring) as ControlName[])
      for (const [status, reason] of Object.entries(reasons(control)))
        expect(reason === undefined, `${control} while ${status}`).toBe(
          (allowedDuring[control] as readonly string[]).includes(status),
        )
  })

  it('names what a control waits for', () => {
    expect(reasons('change')).toMatchObject({
      scheduled: 'The show has not started.',
      waiting: 'Possible once the show is live.',
    })
    expect(reasons('signal')).toMatchObject({
      starting: 'Possible once the session is open.',
      ending: 'The show is ending.',
    })
    for (const status of showStatuses.filter(isTerminal)) expect(reasons('stop')[status]).toBe('The show is over.')
  })

  it('refuses everything once a stop was requested', () => {
    expect(reasonAgainst('change', { status: 'live', stopAskedAt: at })).toBe('The show is ending.')
  })
})

describe('outputsOf', () => {
  const size = [1280, 720]

  it('lists what runs and composes a picture, with its layout and its stream mode', () => {
    expect(outputsOf(show)).toEqual([
      { kind: 'recording', name: 'program', layout: { type: 'pip' }, size, isManual: false },
      { kind: 'recording', name: 'chosen', layout: { type: 'bestFit' }, size, isManual: true },
      { kind: 'broadcast', name: 'live', layout: { type: 'bestFit' }, size, isManual: false },
    ])
  })

  it('has the layout of the last change, and broadcasts that were added, and leaves out what has ended', () => {
    const layout = { type: 'horizontalPresentation' as const }
    const later = {
      document,
      recordings: [
        part('program', { status: 'stopped', layout }),
        part('program', { part: 2, layout }),
        part('chosen', { problem: 'x' }),
      ],
      broadcasts: [part('live', { status: 'stopped' }), part('late', { status: 'live' })],
    }
    expect(outputsOf(later).map(({ name, layout }) => [name, layout.type])).toEqual([
      ['program', 'horizontalPresentation'],
      ['late', 'bestFit'],
    ])
  })

  it('lets one or all be chosen, and names the layout that all have', () => {
    const outputs = outputsOf(show)
    expect(chosenOutputs(outputs, '')).toEqual(outputs)
    const one = chosenOutputs(outputs, 'broadcast live')
    expect(one.map(outputKey)).toEqual(['broadcast live'])
    expect([outputs, one, []].map((some) => commonLayout(some)?.type)).toEqual([undefined, 'bestFit', undefined])
    expect(outputs.map(targetOf)).toEqual([{ recording: 'program' }, { recording: 'chosen' }, { broadcast: 'live' }])
  })
})

describe('movedEnd', () => {
  it('moves the planned end by minutes, and has none before the show is live', () => {
    expect(movedEnd({ plannedEndAt: at }, 15)).toBe('2026-03-01T10:15:05.000Z')
    expect(movedEnd({ plannedEndAt: at }, -5)).toBe('2026-03-01T09:55:05.000Z')
    expect(movedEnd({}, 5)).toBeUndefined()
  })
})

describe('describeControl', () => {
  it('reports when a control took effect, or that it will', () => {
    const timeline = [{ at, what: 'control.layout' as const }]
    expect(describeControl({ timeline }, 'Grid was set', 'UTC')).toBe('Grid was set at 10:00:05.')
    expect(describeControl({ timeline: [] }, 'Grid was set')).toMatch(
      /^Accepted\. It takes effect .* within a minute\.$/,
    )
  })
})

describe('streamLines', () => {
  const timeline = [
    { at: '2026-03-01T10:00:00Z', what: 'control.mute', detail: 'The stream one was muted.' },
    { at, what: 'control.mute', detail: 'The stream one was muted.' },
    { at, what: 'control.streams', detail: 'The stream two was added.' },
  ]

  it('names streams by publisher, scene or dial-in, and when they were last muted', () => {
    const streams = [
      stream('one'),
      stream('two', { name: '', videoType: 'custom', scene: 'intro' }),
      stream('three', { name: '', dialIn: 'stage' }),
      stream('four', { name: '', videoType: 'screen' }),
    ]
    expect(streamLines(streams, timeline)).toEqual([
      { streamId: 'one', name: 'Ada', kind: 'camera', mutedAt: at },
      { streamId: 'two', name: 'intro', kind: 'scene intro', mutedAt: undefined },
      { streamId: 'three', name: 'stage', kind: 'dial-in stage', mutedAt: undefined },
      { streamId: 'four', name: 'Without a name', kind: 'screen', mutedAt: undefined },
    ])
    expect([0, 1, 2].map(streamCount)).toEqual([
      'Nothing is published.',
      '1 stream is published.',
      '2 streams are published.',
    ])
  })

  it('are named in the timeline', () => {
    const [first, , third] = withStreamNames(timeline, [stream('one'), stream('two', { name: '' })])
    expect([first?.detail, third?.detail]).toEqual(['The stream Ada was muted.', 'The stream two was added.'])
  })
})

describe('broadcastOrderOf', () => {
  const form = { name: 'late', serverUrl: 'rtmps://a.example/app', secret: 'youtube#key' }

  it.each(['hls', 'lowLatency', 'rtmp'])('makes an order of kind %s that the API accepts', (kind) => {
    const order = controls.broadcast.body.parse(broadcastOrderOf({ ...form, kind }))
    expect(order).toMatchObject(
      kind === 'rtmp'
        ? { rtmp: [{ serverUrl: 'rtmps://a.example/app', streamName: { secret: 'youtube#key' } }] }
        : { name: 'late', hls: { lowLatency: kind === 'lowLatency' }, rtmp: [] },
    )
  })

  it('has a free name at first', () => {
    expect([freeName([]), freeName(['live', 'live-2'])]).toEqual(['live', 'live-3'])
  })
})

describe('invitationUntil', () => {
  it('names the moment', () => {
    const now = Date.parse(at)
    expect(invitationUntil('2026-03-02T19:30:00Z', now, 'UTC')).toBe('The invitation expires on 2 Mar 2026, 19:30.')
    expect(invitationUntil('2026-03-01T19:30:00Z', now, 'UTC')).toBe('The invitation expires today, 19:30.')
  })
})
