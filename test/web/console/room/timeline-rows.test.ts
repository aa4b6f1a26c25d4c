import { describe, expect, it } from 'vitest'
import type { ListedStream, Show } from '../../../../web/console/answers.ts'
import { createSeenParticipants } from '../../../../web/console/room/seen-participants.ts'
import { timelineOf } from '../../../../web/console/room/timeline-rows.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 20, minutes)).toISOString()
const ms = (minutes: number) => Date.parse(at(minutes))
const part = { name: 'program', part: 1, tag: 'a-show/program/1' }
const show = {
  ...{ showId: 'a-show', name: 'A show', status: 'live', acceptedAt: at(0), liveAt: at(0), plannedEndAt: at(60) },
  recordings: [{ ...part, createdAt: at(0), status: 'started' }],
  broadcasts: [],
  scenes: [],
  dialIns: [],
  timeline: [],
} satisfies Show

const barsOf = (of: Partial<Show>, now: number) =>
  timelineOf({ ...show, ...of }, [], ms(now)).rows.map(({ label, bars }) => [
    label,
    ...bars.map(({ from, to, tone }) => [tone, (from - ms(0)) / 60_000, (to - ms(0)) / 60_000]),
  ])

describe('timelineOf', () => {
  it('draws what has run solid, and what is planned hollow', () => {
    expect(barsOf({}, 20)).toEqual([['Recording program', ['running', 0, 20], ['planned', 20, 60]]])
    const scheduled = { status: 'scheduled', liveAt: undefined, plannedEndAt: undefined, nextStart: at(30) } as const
    const document = { duration: 600 } as Show['document']
    expect(barsOf({ ...scheduled, document, recordings: [part] }, 20)).toEqual([
      ['Recording program', ['planned', 30, 40]],
    ])
  })

  it('has a row for each part, and ends a part where the next one runs', () => {
    const parts = [
      { ...part, createdAt: at(0), stoppedAt: at(20), status: 'uploaded' },
      { ...part, part: 2, tag: 'a-show/program/2', createdAt: at(25), status: 'started' },
    ] as Show['recordings']
    expect(barsOf({ recordings: parts }, 30)).toEqual([
      ['Recording program', ['good', 0, 20]],
      ['Recording program (part 2)', ['running', 25, 30], ['planned', 30, 60]],
    ])
  })

  it('colours by outcome, and says why something is lost', () => {
    const result = {
      ...{ recordings: [{ ...part, duration: 1_200, lost: 'The upload failed.' }], broadcasts: [], scenes: [] },
      ...{ dialIns: [], reason: 'It ended.' },
    }
    const over = { status: 'failed', endedAt: at(30), result } as Partial<Show>
    expect(barsOf(over, 50)).toEqual([['Recording program', ['bad', 0, 20]]])
    expect(timelineOf({ ...show, ...over }, [], ms(50)).rows[0]?.text).toMatch(/, The upload failed\.$/)
    const neverStarted = { recordings: [{ ...part, problem: 'No client was connected.' }] }
    expect(barsOf(neverStarted, 20)).toEqual([['Recording program', ['bad', 0, 0]]])
  })

  it('has rows for broadcasts, scenes, calls and markers', () => {
    const more = {
      broadcasts: [{ name: 'live', part: 1, tag: 'a-show/live/1', createdAt: at(1), status: 'started' }],
      scenes: [{ name: 'slides', createdAt: at(2), status: 'stopped' }],
      dialIns: [{ name: 'stage', askedAt: at(3), status: 'unknown' }],
      timeline: [{ at: at(12), what: 'scene.ended', name: 'slides' }],
      markers: [{ id: 'm', at: at(5), title: 'Questions' }],
      document: { cues: [{ at: 600, marker: 'Demo' }] } as unknown as Show['document'],
    } satisfies Partial<Show>
    expect(barsOf(more, 20).slice(1)).toEqual([
      ['Broadcast live', ['running', 1, 20], ['planned', 20, 60]],
      ['Scene slides', ['good', 2, 12]],
      ['Call stage', ['bad', 3, 20], ['planned', 20, 60]],
      ['Markers', ['quiet', 5, 5], ['planned', 10, 10]],
    ])
  })
})

describe('createSeenParticipants', () => {
  it('keeps who has left, and has no rows for scenes and calls', () => {
    const seen = createSeenParticipants()
    const ada = { streamId: 'a', name: 'Ada', videoType: 'camera', layoutClasses: [] } satisfies ListedStream
    seen.note([ada, { ...ada, streamId: 's', scene: 'slides' }], 1_000)
    seen.note(undefined, 2_000)
    expect(seen.note([ada], 3_000)).toEqual([{ streamId: 'a', name: 'Ada', from: 1_000, to: 3_000, isPresent: true }])
    expect(seen.note([], 4_000)).toEqual([{ streamId: 'a', name: 'Ada', from: 1_000, to: 3_000, isPresent: false }])
  })
})
