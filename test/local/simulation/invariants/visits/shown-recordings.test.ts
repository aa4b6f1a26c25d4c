import { describe, expect, it } from 'vitest'
import { shownRecordings } from '../../../../../local/simulation/invariants/visits/shown-recordings.ts'
import { objectsOf, visited } from './visited.ts'

const folder = 'recordings/x/'
const manifest = {
  ...{ archiveId: 'x', status: 'complete', access: 'signed', duration: 60, show: { name: 'program' } },
  source: { key: '1/x/archive.mp4' },
  files: [
    { role: 'hls', key: `${folder}hls/master.m3u8` },
    { role: 'poster', key: `${folder}poster.jpg` },
  ],
}
const objects = new Map([
  ...objectsOf({ [`${folder}manifest.json`]: manifest }),
  [`${folder}hls/master.m3u8`, { text: '#EXTM3U\na.ts\nb.ts\n', size: 1, sha256: '' }],
  [`${folder}poster.jpg`, { text: '', size: 4, sha256: '' }],
])
const link = (key: string) => `http://s3.example.com/bucket/${key}?signed`
const shown = {
  ...manifest,
  source: { ...manifest.source, url: link(manifest.source.key) },
  files: [
    { ...manifest.files[0], url: 'https://api.example.com/watch/x/playlist?file=hls%2Fmaster.m3u8' },
    { ...manifest.files[1], url: link(`${folder}poster.jpg`) },
  ],
}
const page = {
  ...{ playlist: '/watch/x/playlist', poster: 'http', chapters: null, thumbnails: null, captions: [] },
  ...{ page: null, duration: 60, status: 'complete', name: 'program', downloads: { video: 'http', audio: null } },
}
const problemsOf = (...visits: ReturnType<typeof visited>[]) => shownRecordings({ objects, versions: [], visits })
/** Judges visits of a recording whose manifest has other fields. */
const judge = (more: object, ...visits: ReturnType<typeof visited>[]) =>
  shownRecordings({
    objects: objectsOf({ [`${folder}manifest.json`]: { ...manifest, ...more } }),
    ...{ versions: [], visits },
  })

describe('shownRecordings', () => {
  it('accepts a recording as its manifest has it, and its page', () => {
    expect(problemsOf(visited('/recordings/x', shown), visited('/watch/x/recording?a=b', page))).toEqual([])
  })

  it('finds another field, other files, and a link to another file', () => {
    const wrong = { ...shown, status: 'ready', source: { ...shown.source, url: link('1/y/archive.mp4') }, files: [] }
    expect(problemsOf(visited('/recordings/x', wrong))).toEqual([
      'the recording x is shown with another status than it has',
      'the recording x is shown with other files than it has',
      'the file 1/x/archive.mp4 is shown with a link to /bucket/1/y/archive.mp4',
    ])
  })

  it('finds a link to another version of the source than the published one', () => {
    const { source } = manifest
    const judgeLink = (published: object, query: string) => {
      const url = `${link(source.key)}${query}`
      return judge(
        { source: { ...source, ...published } },
        visited('/recordings/x', { ...shown, source: { ...source, url } }),
      )
    }
    const problem = ['the source of x is shown with a link to another version of it']
    expect(judgeLink({ versionId: 'v' }, '&versionId=v')).toEqual([])
    expect(judgeLink({ versionId: 'v' }, '&versionId=other')).toEqual(problem)
    expect(judgeLink({ versionId: 'v' }, '')).toEqual(problem)
    expect(judgeLink({}, '&versionId=v')).toEqual(problem)
  })

  it('finds a page of a show that opens a recording whose links were revoked', () => {
    const state = visited('/watch/show/a-show/state?a=b', { recordings: [{ path: '/watch/x?a=b' }, {}] })
    expect(judge({}, state)).toEqual([])
    expect(judge({ epoch: 1 }, state)).toEqual([
      'the page of the show a-show opens the recording x, whose links were revoked',
    ])
    expect(judge({ epoch: 1 }, visited('/watch/show/a-show/state', {}))).toEqual([])
  })

  it('finds a recording that is shown to anyone although it is not public, and its show', () => {
    expect(problemsOf(visited('/public/recordings/x', { show: {} }))).toEqual([
      'the recording x is not public, and shown',
      'the public recording x is shown with its show',
    ])
  })

  it('finds a page without a poster, and with another title', () => {
    expect(problemsOf(visited('/watch/x/recording', { ...page, poster: null, page: { title: 'Other' } }))).toEqual([
      'the page of the recording x has a wrong poster',
      'the page of the recording x has a wrong title',
    ])
  })

  it('finds a link to a file of another size, and a playlist without some of its files', () => {
    const file = visited(link(`${folder}poster.jpg`), '', { headers: { 'content-length': '3' } })
    const playlist = visited('/watch/x/playlist?file=hls/master.m3u8', '', { answer: '#EXTM3U\nhttp://a\n' })
    expect(problemsOf(file, playlist)).toEqual([
      `the link to ${folder}poster.jpg leads to 3 bytes instead of 4`,
      'the playlist hls/master.m3u8 of x is served with 1 of 2 files',
    ])
  })
})
