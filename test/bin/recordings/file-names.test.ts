import { describe, expect, it } from 'vitest'
import { filesOf, titleOf } from '../../../bin/recordings/file-names.ts'
import type { RecordingAnswer } from '../../../bin/shows/show-api.ts'

const file = (role: string, key: string) => ({ role, key, size: 1, sha256: null, url: `https://example.com/${key}` })
const named = (changes = {}, showName?: string) => ({
  recording: {
    archiveId: 'aaa',
    createdAt: '2026-11-22T12:00:00.000Z',
    show: { showId: 'launch', name: 'program', part: 1 },
    source: file('', '1/aaa/archive.mp4'),
    files: [],
    ...changes,
  } as unknown as RecordingAnswer,
  ...(showName !== undefined && { showName }),
})

describe('titleOf', () => {
  it.each([
    ['Launch webinar', 'Launch webinar – program – 2026-11-22'],
    ['Q&A: "why" <and> how?/..\\\u0007|* ', 'Q&A why and how – program – 2026-11-22'],
    ['...', 'program – 2026-11-22'],
    [undefined, 'program – 2026-11-22'],
    ['会'.repeat(80), `${'会'.repeat(33)} – program – 2026-11-22`],
  ])('makes a file name of the show %j', (showName, title) => {
    expect(titleOf(named({}, showName))).toBe(title)
  })

  it('names an archive that no show started by its id', () => {
    expect(titleOf(named({ show: undefined }))).toBe('aaa – 2026-11-22')
  })
})

describe('filesOf', () => {
  const files = [
    file('faststart', 'r/video.mp4'),
    file('captions', 'r/captions/1/en.vtt'),
    file('captions', 'r/captions/2/pt-BR.vtt'),
  ]
  it('takes the copy that players start at once, else the uploaded file', () => {
    expect(filesOf(named({ files }), 'video').map(({ url }) => url)).toEqual(['https://example.com/r/video.mp4'])
    expect(filesOf(named(), 'video').map(({ url }) => url)).toEqual(['https://example.com/1/aaa/archive.mp4'])
    expect(filesOf(named({ files }), 'original')[0]?.url).toBe('https://example.com/1/aaa/archive.mp4')
  })

  it('names captions by their language', () => {
    const names = filesOf(named({ files }), 'captions').map(({ fileName }) => fileName)
    expect(names).toEqual(['program – 2026-11-22 – en.vtt', 'program – 2026-11-22 – pt-BR.vtt'])
    expect(filesOf(named(), 'audio')).toEqual([])
  })
})
