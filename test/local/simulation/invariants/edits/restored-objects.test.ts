import { describe, expect, it } from 'vitest'
import { restoredObjects } from '../../../../../local/simulation/invariants/edits/restored-objects.ts'
import { asked } from '../made-up-evidence.ts'

describe('restoredObjects', () => {
  const request = (at: number, method: string, path: string, objects: number) =>
    asked(at, {
      method,
      path: `/recordings/a${path}`,
      status: 200,
      answer: JSON.stringify({ archiveId: 'a', objects }),
    })
  const judge = (restored: number, trace: Parameters<typeof restoredObjects>[0]['trace'] = []) =>
    restoredObjects({
      apiRequests: [request(1_000, 'DELETE', '', 12), request(60_000, 'POST', '/restore', restored)],
      trace,
    })

  it('finds a restored recording that lacks objects', () => {
    expect(judge(5)).toEqual(['12 objects of the recording a were deleted, and 5 restored'])
    expect(judge(12)).toEqual([])
  })

  it('excuses requests that a fault may have interrupted', () => {
    expect(judge(5, [{ at: 60_000, line: 'fault: Api -> s3 DeleteObject', fault: 'lost after' }])).toEqual([])
    expect(judge(5, [{ at: 90_000, line: 'fault: Api -> s3 DeleteObject', fault: 'lost after' }])).toHaveLength(1)
  })
})
