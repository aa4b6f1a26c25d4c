import { describe, expect, it } from 'vitest'
import {
  MAX_RESCUES,
  RESCUE_AGAIN,
  RESCUE_AGE,
  RESCUE_PAUSES,
  strandedAmong,
  strandedFor,
  withRescues,
} from '../../../../lib/show/plan/rescue-policy.ts'
import type { RecordingState } from '../../../../lib/show/state/resources.ts'
import { at, BEGINNING } from './parts-model.ts'

const part = (number: number, changes: Partial<RecordingState> = {}): RecordingState => ({
  ...{ name: 'program', part: number, tag: `a/program/${number}`, archiveId: `${number}`, createdAt: at(0) },
  ...{ status: 'available', ...changes },
})
const stranded = (now: number, recordings: RecordingState[]) =>
  strandedFor({ recordings }, BEGINNING + now * 1000).map((one) => one.part)

describe('strandedFor', () => {
  it('leaves a part to the end of the show unless the platform might delete it before', () => {
    expect(stranded(RESCUE_AGE - 1, [part(1)])).toEqual([])
    expect(stranded(RESCUE_AGE, [part(1)])).toEqual([1])
  })

  it('retries an archive only after six hours', () => {
    const tried = part(1, { rescueAt: at(RESCUE_AGE) })
    expect(stranded(RESCUE_AGE + 60, [tried, part(2)])).toEqual([2])
    expect(stranded(RESCUE_AGE + RESCUE_AGAIN - 1, [tried])).toEqual([])
    expect(stranded(RESCUE_AGE + RESCUE_AGAIN, [tried])).toEqual([1])
  })

  it('omits rescued, uploaded and missing archives', () => {
    const others = [part(1, { rescued: true }), part(2, { status: 'uploaded' }), part(3, { status: 'expired' })]
    expect(stranded(RESCUE_AGE, others)).toEqual([])
  })
})

describe('strandedAmong', () => {
  const among = (recordings: RecordingState[], now = 0) => strandedAmong(recordings, BEGINNING + now * 1000)

  it('returns the archives to rescue at the end, up to the maximum of one execution', () => {
    const one = { name: 'program', part: 1, archiveId: '1' }
    expect(among([part(1), part(2, { rescued: true })])).toEqual({ stranded: [one], waitSeconds: 1 })
    const many = Array.from({ length: 150 }, (_, index) => part(index + 1))
    const first = among(many).stranded
    expect(first).toHaveLength(MAX_RESCUES)
    const { stranded: rest } = among(withRescues(many, first, { now: BEGINNING, isEnd: true }))
    expect(rest.map((one) => one.part)).toEqual(Array.from({ length: 50 }, (_, index) => index + 101))
  })

  it('names each a few times, ever later, and then no more', () => {
    let recordings = [part(1, { rescueAt: at(-600) })] // while the show was running
    const waits: (number | undefined)[] = []
    for (let now = 0; ; ) {
      const { stranded, waitSeconds } = among(recordings, now)
      if (stranded.length === 0 && waitSeconds === undefined) break
      if (stranded.length > 0)
        recordings = withRescues(recordings, stranded, { now: BEGINNING + now * 1000, isEnd: true })
      else {
        waits.push(waitSeconds)
        now += waitSeconds ?? 0
      }
    }
    expect(waits).toEqual(RESCUE_PAUSES.slice(1))
    expect(recordings).toMatchObject([{ rescueTries: RESCUE_PAUSES.length }])
  })

  it('waits for nothing where nothing is stranded', () => {
    expect(among([part(1, { rescued: true })])).toEqual({ stranded: [], waitSeconds: undefined })
  })
})
