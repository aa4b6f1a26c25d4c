import { describe, expect, it } from 'vitest'
import { acceptedUploads } from '../../../../../local/simulation/invariants/uploads/accepted-uploads.ts'

const judge = (status: number, caller = 'platform', name = 's3 PutObject 1234/one/archive.mp4') =>
  acceptedUploads({ trace: [{ at: 0, line: '', call: { caller, name, status } }] })

describe('acceptedUploads', () => {
  it('finds an upload that the bucket refuses', () => {
    expect(judge(403)).toEqual(['the bucket answered 403 to the platform’s s3 PutObject 1234/one/archive.mp4'])
    expect(judge(404)).toHaveLength(1)
  })

  it('accepts an upload that succeeds, and calls of others', () => {
    expect(judge(200)).toEqual([])
    expect(judge(412, 'WatchShow')).toEqual([])
    expect(judge(404, 'platform', 's3 HeadObject 1234/one/archive.mp4')).toEqual([])
  })
})
