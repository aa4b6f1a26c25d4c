import { describe, expect, it } from 'vitest'
import {
  CONNECTING_LIMIT,
  describeOutput,
  MAX_NOTED,
  neverOnAir,
  outputEvents,
  outputFailures,
} from '../../../../lib/show/plan/output-events.ts'
import type { RecordingState } from '../../../../lib/show/state/resources.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import { withTimeline } from '../../../../lib/show/state/timeline-events.ts'

const START = Date.parse('2026-11-20T09:00:00.000Z')
const LIMIT = CONNECTING_LIMIT * 1000
const at = (milliseconds: number) => new Date(START + milliseconds).toISOString()

interface Story {
  readonly recording?: RecordingState['status']
  readonly broadcast?: 'started' | 'stopped'
}

/** Observes an output with these statuses, each at a time in ms after the start. Returns the state with its timeline. */
function observe(statuses: readonly (readonly [at: number, status: string])[], story: Story = {}): ShowState {
  const { recording = 'started', broadcast: status = 'started' } = story
  let state = { recordings: [{ name: 'r', status: recording }], broadcasts: [], timeline: [] } as unknown as ShowState
  for (const [at, output] of statuses) {
    const rtmp = [{ id: 'main', status: output }]
    const broadcast = {
      name: 'live',
      part: 1,
      tag: 't',
      createdAt: new Date(START).toISOString(),
      status,
      rtmp,
    } as const
    const now = START + at
    const seen = { ...state, broadcasts: [broadcast] } as unknown as ShowState
    const events = outputEvents(seen, broadcast as never, rtmp[0] as never, now)
    state = { ...seen, timeline: withTimeline(state.timeline, now, ...events) }
  }
  return state
}
const story = (...story: Parameters<typeof observe>) =>
  observe(...story).timeline.map(({ what, occurrence, detail }) => [what, occurrence, detail].filter(Boolean).join(' '))

describe('outputEvents', () => {
  it('notes each time that an output fails and recovers', () => {
    const statuses = ['connecting', 'live', 'live', 'offline', 'offline', 'live', 'error', 'live'] as const
    expect(story(statuses.map((status, index) => [index, status]))).toEqual([
      'output.live',
      'output.failed offline',
      'output.recovered',
      'output.failed 2 error',
      'output.recovered 2',
    ])
  })

  it('notes that a connection is renewed, and reports it as failed after a minute', () => {
    const renewed = [
      [0, 'live'],
      [1_000, 'connecting'],
      [2_000, 'connecting'],
      [3_000, 'live'],
    ] as const
    expect(story(renewed)).toEqual([
      'output.live',
      `output.reconnecting It counts as failed if it is not live by ${at(1_000 + LIMIT)}.`,
      'output.recovered',
    ])
    const late = [...renewed, [4_000, 'connecting'], [4_000 + LIMIT, 'connecting'], [5_000 + LIMIT, 'offline']] as const
    expect(story(late).slice(3)).toEqual([
      `output.reconnecting 2 It counts as failed if it is not live by ${at(4_000 + LIMIT)}.`,
      'output.failed It has been connecting for 60 s.',
    ])
  })

  it('notes a limited number of changes of an output that is unstable, and the last as its failure', () => {
    const unstable = Array.from({ length: 1_000 }, (_, index) => [index, index % 2 ? 'connecting' : 'live'] as const)
    const noted = story(unstable)
    expect(noted).toHaveLength(MAX_NOTED + 1)
    expect(noted.at(-1)).toMatch(/^output\.failed It goes off the air again and again/)
    expect(outputFailures(observe([...unstable, [2_000, 'live']]))).toMatchObject([{ id: 'main', count: 1 }])
  })

  it('reports an output that does not get on the air within a minute', () => {
    expect(story([[LIMIT - 1, 'connecting']])).toEqual([])
    expect(story([[LIMIT, 'connecting']])).toEqual(['output.failed It has been connecting for 60 s.'])
  })

  it.each<[string, Story]>([
    ['no participant publishes', { recording: 'paused' }],
    ['the broadcast has stopped', { broadcast: 'stopped' }],
  ])('does not expect an output to be connected while %s', (_, circumstances) => {
    expect(story([[LIMIT, 'connecting']], circumstances)).toEqual([])
  })
})

describe('neverOnAir', () => {
  const failed = [{ name: 'live', part: 1, id: 'main', what: 'output.failed' }]

  it('finds an output that is still connecting, of a show that ends within a minute', () => {
    expect(neverOnAir(observe([[20_000, 'connecting']]))).toMatchObject(failed)
  })

  it.each<[string, Parameters<typeof observe>]>([
    ['is live', [[[20_000, 'live']]]],
    [
      'was on the air and connects again',
      [
        [
          [0, 'live'],
          [20_000, 'connecting'],
        ],
      ],
    ],
    [
      'has failed already',
      [
        [
          [0, 'offline'],
          [20_000, 'connecting'],
        ],
      ],
    ],
    ['has nothing to send', [[[20_000, 'connecting']], { recording: 'paused' }]],
    ['ended before with its broadcast', [[[20_000, 'connecting']], { broadcast: 'stopped' }]],
  ])('finds no output that %s', (_, story) => {
    expect(neverOnAir(observe(...story))).toEqual([])
  })
})

describe('outputFailures', () => {
  const failures = (...statuses: readonly string[]) =>
    outputFailures(observe(statuses.map((status, index) => [index, status]))).map(describeOutput)

  it('finds no failure of an output that was on the air all the time', () => {
    expect(failures('connecting', 'live', 'connecting', 'live')).toEqual([])
  })

  it('describes how an output failed', () => {
    expect(failures('offline')).toEqual(['The output main of the broadcast live was offline.'])
    expect(failures('live', 'offline', 'live')).toEqual([
      'The output main of the broadcast live was off the air for a time.',
    ])
    expect(failures('live', 'offline', 'live', 'offline', 'live')).toEqual([
      'The output main of the broadcast live was off the air 2 times.',
    ])
    expect(failures('offline', 'connecting')).toEqual([
      'The output main of the broadcast live was not on the air at the end.',
    ])
  })
})
