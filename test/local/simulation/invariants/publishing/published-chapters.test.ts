import { describe, expect, it } from 'vitest'
import { damageOf } from '../../../../../local/simulation/environment/media/media-facts.ts'
import { problemsOfChapters } from '../../../../../local/simulation/invariants/publishing/published-chapters.ts'

type Arguments = Parameters<typeof problemsOfChapters>

const LIVE_AT = Date.UTC(2030, 0, 1)
const idWith = (damage?: string) =>
  Array.from({ length: 500 }, (_, n) => `archive-${n}`).find((id) => damageOf(id) === damage) ?? ''
const marker = (id: string, seconds: number, title: string) => ({
  ...{ id, title },
  at: new Date(LIVE_AT + seconds * 1000).toISOString(),
})
const cue = (start: string, title: string) => `${start} --> 00:59:59.000\n${title}\n`

/**
 * Returns the problems of a recording of 2,000 s that began 10 s after its show was live.
 * @param requestedAt seconds of live time at which the marker of 400 s was requested; published at 2,100 s
 */
function judge({
  cues = [] as string[],
  planned = [] as object[],
  requestedAt = undefined as number | undefined,
  damage = undefined as string | undefined,
  isMissing = false,
  seconds = 2_000,
}) {
  const archiveId = idWith(damage)
  const text = `WEBVTT\n\n${cues.join('\n')}`
  const files = cues.length > 0 ? [{ role: 'chapters', key: 'c.vtt' }] : []
  const asked = requestedAt !== undefined && marker('m', 400, 'Q & A')
  const timeline = asked ? [{ what: 'control.marker', id: 'm', at: marker('m', requestedAt, '').at }] : []
  const request = { show: { cues: planned } }
  const state = { liveAt: new Date(LIVE_AT).toISOString(), markers: asked ? [asked] : [], timeline }
  return problemsOfChapters(
    { files, missing: isMissing ? [{ format: 'chapters', problem: 'No.' }] : [] } as unknown as Arguments[0],
    { archiveId, executions: [{ startDate: new Date(LIVE_AT + 2_100_000) }] } as unknown as Arguments[1],
    { id: archiveId, seconds, size: 0, resolution: '640x480', hasAudio: true, hasVideo: true },
    { showId: 'a-show', name: 'program', request } as unknown as Arguments[3],
    {
      objects: new Map([['c.vtt', { text }]]),
      shows: [{ showId: 'a-show', request, state }],
      statusChanges: [{ id: archiveId, createdAt: LIVE_AT + 10_000 }],
    } as unknown as Arguments[4],
  )
}

const GAPS = [
  ...[cue('00:00:00.000', 'Chapter 1'), cue('00:08:26.000', 'Chapter 2')],
  ...[cue('00:16:43.000', 'Chapter 3'), cue('00:25:01.500', 'Chapter 4')],
]
const MARKED = [cue('00:00:00.000', 'Chapter 1'), cue('00:06:30.000', 'Q &amp; A')]

describe('problemsOfChapters', () => {
  it('expects chapters at the gaps of a recording without markers', () => {
    expect(judge({ cues: GAPS })).toEqual([])
    expect(judge({ cues: GAPS.slice(0, 3) })).toEqual([
      'has the chapters 0.00 Chapter 1, 506.00 Chapter 2, 1003.00 Chapter 3, and should have the chapters 0.00 Chapter 1, 506.00 Chapter 2, 1003.00 Chapter 3, 1501.50 Chapter 4',
    ])
    expect(judge({ seconds: 600 })).toEqual([])
    expect(judge({})).toHaveLength(1)
  })

  it('expects them at the markers of the recording otherwise', () => {
    const planned = [
      { at: 400, marker: 'Q & A' },
      { at: 500, marker: 'Elsewhere', recording: 'stage' },
      { at: 3_000, marker: 'After the end' },
    ]
    expect(judge({ cues: MARKED, planned })).toEqual([])
    expect(judge({ cues: MARKED, requestedAt: 1_000 })).toEqual([])
    expect(judge({ cues: GAPS, requestedAt: 1_000 })).toHaveLength(1)
    expect(judge({ cues: [cue('00:00:00.000', 'Intro')], planned: [{ at: 0, marker: 'Intro' }] })).toEqual([])
  })

  it('accepts either with a marker that was requested while the recording was published', () => {
    expect(judge({ cues: MARKED, requestedAt: 2_200 })).toEqual([])
    expect(judge({ cues: GAPS, requestedAt: 2_200 })).toEqual([])
  })

  it('expects them to be missing where the picture is damaged, and none of another codec', () => {
    expect(judge({ damage: 'picture', isMissing: true })).toEqual([])
    expect(judge({ damage: 'picture' })).toHaveLength(1)
    expect(judge({ damage: 'picture', cues: MARKED, requestedAt: 1_000 })).toEqual([])
    expect(judge({ damage: 'other video codec' })).toEqual([])
    expect(judge({ isMissing: true })).toHaveLength(1)
  })
})
