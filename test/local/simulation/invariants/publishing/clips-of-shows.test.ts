import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { clipsOfShows } from '../../../../../local/simulation/invariants/publishing/clips-of-shows.ts'

type Evidence = Parameters<typeof clipsOfShows>[0]

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const objectOf = (text: string) => ({ text, size: text.length, sha256: sha256(text).toString('base64') })
const MP4 = 'clip from 5 to 9 of video of one'
const file = { key: 'recordings/one/clips/c1/clip.mp4', size: MP4.length, sha256: sha256(MP4).toString('hex') }
const clip = {
  ...{ clipId: 'c1', archiveId: 'one', name: 'Goal', from: 5, to: 9, queued: { showId: 'a-show' } },
  ...{ status: 'published', createdBy: 'app', file },
}
const posted = { method: 'POST', path: '/shows/a-show/clips', key: 'k', status: 202, answer: '{"clipId":"c1"}' }
const manifest = { archiveId: 'one', status: 'complete', duration: 60, files: [{ role: 'hls', key: 'a.m3u8' }] }

/** Returns the problems of one clip. @param changed fields of its record, of its manifest and of the evidence */
function check({ record = {}, recording = {}, event = {}, evidence = {} as Partial<Evidence>, mp4 = MP4 } = {}) {
  const document = { ...clip, ...record }
  const { status, problem } = document as { status: string; problem?: string }
  const detail = {
    id: 'e1',
    event: 'clip.published',
    clipId: 'c1',
    showId: 'a-show',
    status,
    ...(problem && { reason: problem }),
  }
  return clipsOfShows({
    ...{
      leftOut: {},
      executions: [],
      messages: [],
      shows: [{ result: { recordings: [] } }],
      apiRequests: [posted, posted],
    },
    trace: [],
    objects: new Map([
      ['1234/one/archive.mp4', objectOf('archive\n')],
      ['recordings/one/manifest.json', objectOf(JSON.stringify({ ...manifest, ...recording }))],
      ['recordings/one/clips/c1/clip.json', objectOf(JSON.stringify(document))],
      [file.key, objectOf(mp4)],
    ]),
    events: [{ detail: { ...detail, ...event } }],
    ...evidence,
  } as unknown as Evidence)
}

describe('clipsOfShows', () => {
  it('accepts clips with an MP4 or a reason, and those whose loss is reported', () => {
    expect(check()).toEqual([])
    const failed = { status: 'failed', file: undefined, problem: 'The recording ended before the clip.' }
    expect(check({ record: failed, recording: { duration: 4 } })).toEqual([])
    const withoutHls = { ...failed, problem: 'The recording has no HLS, of which clips are cut.' }
    expect(check({ record: withoutHls, recording: { files: [] } })).toEqual([])
    const lost = { ...failed, problem: 'The recording is lost: It had not arrived.' }
    const shows = [{ result: { recordings: [{ archiveId: 'one', lost: 'It had not arrived.' }] } }]
    expect(check({ record: lost, evidence: { shows } as never })).toEqual([])
    expect(check({ recording: { duration: null, status: 'failed' } })).toEqual([])
    const messages = [{ queue: 'q', text: 'one' }]
    expect(check({ record: { status: 'queued', file: undefined }, evidence: { messages } })).toEqual([])
    const apiRequests = [{ ...posted, status: 500, answer: '{}' }] as never
    expect(check({ record: { status: 'cutting', file: undefined }, evidence: { apiRequests } })).toEqual([])
  })

  it.each([
    ['stays queued', { record: { status: 'queued' } }, 'stays queued without a reason'],
    [
      'failed for nothing',
      { record: { status: 'failed', problem: 'No.' } },
      'failed, although its recording has it: No.',
    ],
    [
      'failed for what does not apply',
      { record: { status: 'failed', problem: 'It ended before the clip.' }, recording: { files: [] } },
      'failed for a reason that does not apply: It ended before the clip.',
    ],
    ['failed silently', { record: { status: 'failed' } }, 'failed without a reason'],
    ['has no file', { record: { file: undefined } }, 'has no file'],
    ['has no caller', { record: { createdBy: undefined } }, 'does not say who requested it'],
    ['has other bytes', { mp4: MP4.replace('one', 'one!') }, 'has a file that is not so in the bucket'],
    ['has other times', { record: { from: 6 } }, 'has a file of other times'],
    ['ends too late', { recording: { duration: 8 } }, 'ends after its recording'],
    [
      'is never deleted',
      { recording: { keepDays: 7 } },
      'has recordings/one/clips/c1/clip.mp4, which is tagged with keepDays none, and 7 was ordered',
    ],
    ['is reported otherwise', { event: { status: 'failed' } }, 'is published, and failed by an event'],
    ['is of another show', { event: { showId: 'b-show' } }, 'has an event of another show'],
    ['is not reported', { evidence: { events: [] } }, 'is published, and its owner is not notified'],
  ] as const)('finds a clip that %s', (_, changed, problem) => {
    expect(check(changed as Parameters<typeof check>[0])).toContain(`the clip c1 ${problem}`)
  })

  it('finds repeated requests that made two clips, and answers with clips that do not exist', () => {
    const other = { ...posted, answer: '{"clipId":"c2"}' }
    expect(check({ evidence: { apiRequests: [posted, other] as never } })).toEqual([
      '/shows/a-show/clips with the key k made 2 clips',
      '/shows/a-show/clips with the key k was answered with the clip c2, which does not exist',
    ])
  })

  describe('of broadcasts', () => {
    const facts = JSON.stringify({ broadcast: 'one', start: Date.UTC(2030, 0, 1) })
    const mp4 = `clip from 15 to 19 of a fragment\n${facts}\n`
    const cut = { ...file, size: mp4.length, sha256: sha256(mp4).toString('hex') }
    const live = {
      ...{ showId: 'a-show', startedAt: '2030-01-01T00:00:10.000Z' },
      ...{ broadcast: 'program', picture: { width: 640, height: 480 } },
    }
    const record = { queued: undefined, live, file: cut }
    const gone = { queued: undefined, live, file: undefined, status: 'failed', problem: 'It is damaged.' }
    const struck = { trace: [{ at: 0, fault: '500', line: 'fault: CutClip -> platform play 500' }] }

    it('accepts those of the segments of their times, and those that faults made fail', () => {
      expect(check({ record, mp4 })).toEqual([])
      expect(check({ record: gone, evidence: struck as never })).toEqual([])
    })

    it('finds one that is not as large as its broadcast', () => {
      const broadcasts = [{ name: 'program', resolution: '1280x720' }]
      const shows = [{ showId: 'a-show', request: { show: { broadcasts } }, state: { broadcasts: [] } }]
      expect(check({ record, mp4, evidence: { shows } as never })).toEqual([
        'the clip c1 is 640x480 large, and its broadcast 1280x720',
      ])
    })

    it.each([
      ['other times', { record: { ...record, from: 6 }, mp4 }, 'has a file of other times'],
      ['another broadcast', { record: { ...record, archiveId: 'two' }, mp4 }, 'has a file of another broadcast'],
      ['nothing', { record: gone }, 'failed, although its broadcast can be read: It is damaged.'],
    ])('finds one of %s', (_, changed, problem) => {
      expect(check(changed)).toContain(`the clip c1 ${problem}`)
    })
  })

  it('accepts a clip of any part of a joined recording', () => {
    const mp4 = MP4.replace('of one', 'of two')
    const record = { file: { ...file, sha256: sha256(mp4).toString('hex') } }
    expect(check({ mp4, record, recording: { parts: ['one', 'two'] } })).toEqual([])
    expect(check({ mp4, record })).toContain('the clip c1 has a file of another recording')
  })

  it('judges clips of published recordings by the show of their recording, and misses none that was deleted', () => {
    const path = '/recordings/one/clips'
    const show = { showId: 'b-show', name: 'program', part: 1 }
    const recording = { recording: { show }, record: { queued: undefined }, event: { showId: 'b-show' } }
    expect(check({ ...recording, evidence: { apiRequests: [{ ...posted, path }] as never } })).toEqual([])
    expect(check({ ...recording, event: {} })).toContain('the clip c1 has an event of another show')
    const deletion = { method: 'DELETE', key: 'd', status: 200, answer: '{}', body: '' }
    const requests = (clipId: string) =>
      [
        { ...posted, path, answer: JSON.stringify({ clipId }) },
        { ...deletion, path: `${path}/${clipId}` },
      ] as never
    expect(check({ ...recording, evidence: { apiRequests: requests('c2') } })).toEqual([])
    expect(check({ ...recording, evidence: { apiRequests: requests('c1') } })).toEqual([
      'the clip c1 was deleted, and exists',
    ])
  })
})
