import { describe, expect, it } from 'vitest'
import { publishedKeys } from '../../../../../local/simulation/invariants/publishing/published-keys.ts'
import { evidenceOf } from '../edits/edits.ts'

const EDITION = '0123456789ab'
const source = { key: '1234/one/archive.mp4' }
const judge = (files: readonly object[], more: object = {}) =>
  publishedKeys(evidenceOf([], { manifest: { archiveId: 'one', source, files, ...more } }))
const file = (role: string, key: string) => ({ role, key })

describe('publishedKeys', () => {
  it('accepts files of an edition, of parts, and a source that is its own copy', () => {
    expect(judge([file('poster', `recordings/one/poster/${EDITION}/poster.jpg`)])).toEqual([])
    expect(judge([file('hls-media', `recordings/two/hls/${EDITION}/video-0.mp4`)], { parts: ['two'] })).toEqual([])
    expect(judge([file('faststart', source.key)])).toEqual([])
    const composite = `recordings/one/composite/${EDITION}/composite.mp4`
    expect(judge([file('composite', composite), file('faststart', composite)])).toEqual([])
  })

  it.each([
    ['chapters', `recordings/one/chapters/${EDITION}/chapters.txt`],
    ['poster', `recordings/two/poster/${EDITION}/poster.jpg`],
    ['composite', 'recordings/one/composite/undefined/composite.mp4'],
    ['other', `recordings/one/other/${EDITION}/other.mp4`],
  ])('finds %s as %s', (role, key) => {
    expect(judge([file(role, key)])).toEqual([`the recording one has ${key} as its ${role}`])
  })
})
