import { describe, expect, it } from 'vitest'
import type { RecordingState } from '../../../lib/workflow/documents/resources.ts'
import type { Step } from '../../../lib/workflow/parts.ts'
import {
  MOST_RESCUES,
  RESCUE_AGAIN,
  RESCUE_AGE,
  RESCUE_QUIET,
  strandedAmong,
  strandedFor,
} from '../../../lib/workflow/rescues.ts'
import { at, BEGINNING } from './parts-model.ts'

const part = (number: number, changes: Partial<RecordingState> = {}): RecordingState => ({
  ...{ name: 'program', part: number, tag: `a/program/${number}`, archiveId: `${number}`, createdAt: at(0) },
  ...{ status: 'available', ...changes },
})
const END = 600_000
const stranded = (now: number, recordings: RecordingState[], steps: Step[] = []) =>
  strandedFor(
    { state: { plannedEndAt: at(END), recordings } as never, now: BEGINNING + now * 1000 } as never,
    steps,
  ).map((one) => one.part)

describe('strandedFor', () => {
  it('leaves a part to the end of the show unless the platform might delete it before', () => {
    expect(stranded(RESCUE_AGE - 1, [part(1)])).toEqual([])
    expect(stranded(RESCUE_AGE, [part(1)])).toEqual([1])
  })

  it('names one at a time, and one that was tried only after six hours', () => {
    expect(stranded(RESCUE_AGE, [part(1), part(2)])).toEqual([1])
    const tried = part(1, { rescueAt: at(RESCUE_AGE) })
    expect(stranded(RESCUE_AGE + 60, [tried, part(2)])).toEqual([2])
    expect(stranded(RESCUE_AGE + RESCUE_AGAIN - 1, [tried])).toEqual([])
    expect(stranded(RESCUE_AGE + RESCUE_AGAIN, [tried])).toEqual([1])
  })

  it('leaves what was rescued, uploaded or is not there', () => {
    const others = [part(1, { rescued: true }), part(2, { status: 'uploaded' }), part(3, { status: 'expired' })]
    expect(stranded(RESCUE_AGE, others)).toEqual([])
  })

  it('lets nothing be missed for it: nothing is due, and the end is not near', () => {
    const step = (seconds: number): Step => ({
      kind: 'recordings',
      act: 'start',
      name: 'a',
      part: 2,
      at: BEGINNING + seconds * 1000,
    })
    expect(stranded(RESCUE_AGE, [part(1)], [step(RESCUE_AGE + RESCUE_QUIET)])).toEqual([])
    expect(stranded(RESCUE_AGE, [part(1)], [step(RESCUE_AGE + RESCUE_QUIET + 1)])).toEqual([1])
    expect(stranded(END - RESCUE_QUIET, [part(1)])).toEqual([])
  })
})

describe('strandedAmong', () => {
  it('names what has to be fetched at the end, up to a number that a history holds', () => {
    expect(strandedAmong([part(1), part(2, { rescued: true })])).toEqual([{ name: 'program', part: 1, archiveId: '1' }])
    expect(strandedAmong(Array.from({ length: 150 }, (_, index) => part(index + 1)))).toHaveLength(MOST_RESCUES)
  })
})
