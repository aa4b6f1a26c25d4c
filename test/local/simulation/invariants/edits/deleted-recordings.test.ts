import { describe, expect, it } from 'vitest'
import { deletedRecordings } from '../../../../../local/simulation/invariants/edits/deleted-recordings.ts'
import { edit, evidenceOf } from './edits.ts'

const [deletedAt, purgeAt] = ['2030-01-01T00:00:00.000Z', '2030-01-08T00:00:00.000Z']
const listed = `index/deletions/${Date.parse(purgeAt)}-one`
const record = { 'deletions/one.json': JSON.stringify({ deletedAt, purgeAt }), [listed]: '' }
const remove = edit('DELETE', '', { answer: JSON.stringify({ restorableUntil: purgeAt }) })
const restore = edit('POST', '/restore')
const hidden = { versions: [{ key: 'recordings/one/manifest.json' }] }
const file = '1234/one/archive.mp4'
const judge = (requests: readonly object[], more: Parameters<typeof evidenceOf>[1] = {}) =>
  deletedRecordings(evidenceOf(requests, more))

describe('deletedRecordings', () => {
  it('accepts recordings that are hidden, gone or restored', () => {
    expect(judge([remove], { objects: record, ...hidden })).toEqual([])
    expect(judge([edit('DELETE', '?permanently=true')])).toEqual([])
    expect(judge([remove, restore], { manifest: {}, objects: { 'index/recordings/1-one': '' } })).toEqual([])
  })

  it('accepts an entry that was written late, or could not be deleted', () => {
    const entry = 'index/deletions/5-one'
    const objects = { 'index/recordings/1-one': '', [entry]: '' }
    const late = { at: 1, line: `fault: Api -> s3 PutObject ${entry} delayed`, fault: 'delayed' }
    const refused = { at: 1, line: `fault: Api -> s3 DeleteObject ${entry} 429`, fault: '429' }
    for (const fault of [late, refused])
      expect(judge([remove, restore], { manifest: {}, objects, trace: [fault] })).toEqual([])
    expect(judge([remove, restore], { manifest: {}, objects })).toHaveLength(1)
  })

  it('judges the last request only if its outcome is known', () => {
    expect(judge([remove, { ...restore, status: undefined }])).toEqual([])
    expect(judge([{ ...remove, status: 409 }], { manifest: {} })).toEqual([])
  })

  it.each([
    ['can be read', { objects: { ...record, [file]: '' } }, `was deleted, and ${file} can be read`],
    [
      'has a joined one',
      { objects: { ...record, 'recordings/one-joined/a': '' }, ...hidden },
      'was deleted, and the joined recording was not',
    ],
    ['is lost', { objects: record, versions: [] }, 'was deleted, and no version of it is left'],
    ['is not recorded', { ...hidden }, 'was deleted, and nothing records it'],
    [
      'is kept too long',
      { objects: { ...record, 'deletions/one.json': JSON.stringify({ deletedAt: purgeAt, purgeAt }) }, ...hidden },
      'was deleted, and can be restored for 0 days',
    ],
    [
      'is not listed',
      { objects: { 'deletions/one.json': record['deletions/one.json'] ?? '' }, ...hidden },
      'was deleted, and is not listed for its end',
    ],
  ])('finds a deleted recording that %s', (_, more, problem) => {
    expect(judge([remove], more)).toEqual([`the recording one ${problem}`])
  })

  it('finds what is left of a recording that was deleted permanently', () => {
    const more = { objects: record, versions: [{ key: file }], archives: new Map([['one', { status: 'uploaded' }]]) }
    expect(judge([edit('DELETE', '?permanently=true')], more)).toEqual([
      `the recording one was deleted permanently, and a version of ${file} is left`,
      'the recording one was deleted permanently, and the platform has it',
      'the recording one was deleted permanently, and is listed as one that can be restored',
    ])
  })

  it('finds what is left of a deleted recording an hour after its days are over, and not before', () => {
    const more = { objects: record, versions: [{ key: file }], archives: new Map([['one', { status: 'uploaded' }]]) }
    const hour = 3_600_000
    expect(judge([remove], { ...more, now: Date.parse(purgeAt) + hour - 1 })).toEqual([])
    expect(judge([remove], { ...more, now: Date.parse(purgeAt) + hour })).toHaveLength(3)
    const archives = new Map([['one', { status: 'expired' }]])
    expect(judge([remove], { archives, now: Date.parse(purgeAt) + hour })).toEqual([])
  })

  it('finds a restored recording that is not there, or also listed as deleted', () => {
    expect(judge([remove, restore], { objects: record })).toEqual([
      'the recording one was restored, and has no manifest',
      'the recording one was restored, and is listed 0 times',
      'the recording one was restored, and is still recorded as deleted',
      'the recording one was restored, and is still listed as deleted',
    ])
  })
})
