import { describe, expect, it } from 'vitest'
import { archiveReasons } from '../../../../../lib/platform/contract/archives.ts'
import type { Evidence } from '../../../../../local/simulation/invariants/evidence.ts'
import { noGapBetweenParts } from '../../../../../local/simulation/invariants/parts/no-gap-between-parts.ts'

const pauses = [{ from: 600, to: 1_200 }]
interface Archive {
  readonly from: number
  readonly to: number
  readonly reason?: string
}

/** Returns the violations of a show with these archives, in seconds of live time. @param faultAt seconds */
function violations(archives: readonly Archive[], faultAt?: number): string[] {
  const recordings = archives.map(({ reason }, index) => ({
    ...{ name: 'program', part: index + 1, archiveId: `${index + 1}` },
    ...(reason ? { reason } : { reason: archiveReasons.userInitiated, stoppedAt: new Date(0).toISOString() }),
  }))
  const show = { recordings: [{ name: 'program', pauses }] }
  return noGapBetweenParts({
    shows: [{ request: { show }, state: { liveAt: new Date(0).toISOString() }, result: { recordings } }],
    statusChanges: archives.flatMap(({ from, to }, index) => [
      { id: `${index + 1}`, status: 'started', at: from * 1000 },
      { id: `${index + 1}`, status: 'stopped', at: to * 1000 },
    ]),
    trace: faultAt === undefined ? [] : [{ at: faultAt * 1000, line: '', fault: 'restart' }],
    failedCalls: [],
  } as unknown as Evidence)
}

describe('noGapBetweenParts', () => {
  it('accepts parts before and after a pause, and parts that overlap', () => {
    expect(
      violations([
        { from: 0, to: 602 },
        { from: 1_202, to: 3_000 },
      ]),
    ).toEqual([])
    expect(
      violations([
        { from: 0, to: 312 },
        { from: 300, to: 600 },
        { from: 1_200, to: 3_000 },
      ]),
    ).toEqual([])
  })

  it('finds a gap that no pause explains', () => {
    const archives = [
      { from: 1_200, to: 2_000, reason: archiveReasons.maximumDuration },
      { from: 2_007, to: 3_000 },
    ]
    expect(violations(archives)).toEqual(['part 2 of program began 7 s after part 1 had ended'])
    expect(violations(archives, 1_900)).toEqual([])
  })

  it('finds a recording that resumes late', () => {
    const archives = [
      { from: 0, to: 601 },
      { from: 1_211, to: 3_000 },
    ]
    expect(violations(archives)).toEqual(['part 2 of program began 11 s after its pause'])
    expect(violations(archives, 1_190)).toEqual([])
  })

  it('finds what is recorded in a pause', () => {
    const problem = 'was recorded in its pause from 1970-01-01T00:10:00.000Z'
    expect(violations([{ from: 0, to: 611 }])).toEqual([`part 1 of program ${problem}`])
    expect(
      violations([
        { from: 0, to: 601 },
        { from: 1_190, to: 3_000 },
      ]),
    ).toEqual([`part 2 of program ${problem}`])
    expect(violations([{ from: 0, to: 611 }], 599)).toEqual([])
  })
})
