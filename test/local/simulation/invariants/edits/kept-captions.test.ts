import { describe, expect, it } from 'vitest'
import { ORDERED } from '../../../../../local/simulation/faults/fault-responses.ts'
import { keptCaptions } from '../../../../../local/simulation/invariants/edits/kept-captions.ts'
import { edit, evidenceOf } from './edits.ts'

const supply = edit('PUT', '/captions/de', { body: 'WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n' })
const drop = edit('DELETE', '/captions/de')
const file = { role: 'captions', key: 'recordings/one/captions/e/de.vtt' }
const master = { role: 'hls', key: 'recordings/one/playlists/e/master.m3u8' }
const media = { role: 'hls-media', key: 'recordings/one/playlists/e/captions-de.m3u8' }
const objects = {
  [file.key]: 'WEBVTT\n\nHallo\n',
  [master.key]: '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",URI="captions-de.m3u8"\n',
  [media.key]: '#EXTM3U\n../../captions/e/de.vtt\n',
}
const judge = (requests: readonly object[], files: readonly object[] = [file, master, media], changed = {}) =>
  keptCaptions(evidenceOf(requests, { manifest: { files }, objects: { ...objects, ...changed } }))

describe('keptCaptions', () => {
  it('accepts the captions that were supplied last, and none after their deletion', () => {
    expect(judge([supply])).toEqual([])
    expect(judge([supply, drop], [])).toEqual([])
    expect(judge([supply, { ...drop, status: undefined }])).toEqual([])
  })

  it('expects none of a file that another one has replaced', () => {
    const accept = edit('POST', '/accept', { askedAt: 1 })
    expect(judge([supply, accept], [])).toEqual([])
    expect(judge([supply, accept])).toEqual([`the recording one has ${file.key} of another file`])
    expect(judge([supply, { ...accept, status: undefined }], [])).toEqual([])
  })

  it('finds captions that are missing, of an earlier request, or deleted', () => {
    expect(judge([supply], [])).toEqual(['the recording one has no captions in de, which were supplied'])
    expect(judge([supply], undefined, { [file.key]: 'WEBVTT\n' })).toEqual([
      'the recording one has other captions in de than those supplied last',
    ])
    expect(judge([supply, drop])).toEqual(['the recording one has captions in de, which were deleted'])
  })

  it('finds captions that are refused, unless the refusal was ordered', () => {
    expect(judge([supply, { ...supply, status: 413, answer: 'too large' }])).toEqual([
      'captions of the recording one are refused: too large',
    ])
    expect(judge([supply, { ...supply, status: 400, answer: ORDERED }])).toEqual([])
    expect(judge([supply, { ...supply, status: 409, answer: 'not playable' }])).toEqual([])
  })

  it('finds playlists without the captions, and those that the manifest does not list', () => {
    expect(judge([supply], undefined, { [master.key]: '#EXTM3U\n' })).toEqual([
      'the recording one has captions in 1 languages, and its playlists name 0',
    ])
    expect(judge([supply], [file, master])).toEqual([
      `the recording one has a playlist that it does not list: ${media.key}`,
    ])
  })

  it('finds captions that are not listed by language', () => {
    const other = { role: 'captions', key: 'recordings/one/captions/f/bg.vtt' }
    const bulgarian = edit('PUT', '/captions/bg', { body: 'WEBVTT\n\n00:01.000 --> 00:02.000\nZdrawei\n' })
    const judgeOrder = (...files: readonly object[]) =>
      judge([supply, bulgarian], files, { [other.key]: 'WEBVTT\n\nZdrawei\n' }).join()
    expect(judgeOrder(file, other)).toContain('lists its captions as de, bg')
    expect(judgeOrder(other, file)).not.toContain('lists its captions')
  })
})
