import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseShow } from '../../../lib/workflow/show.ts'

const example: object = JSON.parse(readFileSync(new URL('../../../examples/webinar.json', import.meta.url), 'utf8'))
const least = { version: 1, name: 'Least', duration: 20, recordings: [{ name: 'program' }] }

/** What is wrong with a document, as `path: message`. */
const problemsOf = (document: unknown) => {
  const parsed = parseShow(document)
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
}
const withRecording = (changes: object) => ({ ...least, recordings: [{ name: 'program', ...changes }] })
const withBroadcast = (changes: object) => ({ ...least, broadcasts: [{ name: 'live', hls: {}, ...changes }] })
const named = (count: number, more = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, ...more }))

describe('parseShow', () => {
  it('takes the example', () => {
    expect(problemsOf(example)).toEqual([])
  })

  it('fills in what is left out', () => {
    expect(parseShow({ ...least, broadcasts: [{ name: 'live', hls: {} }] })).toEqual({
      show: {
        ...least,
        session: {},
        scenes: [],
        dialIns: [],
        recordings: [
          { name: 'program', outputMode: 'composed', streamMode: 'auto', hasAudio: true, hasVideo: true, parts: true },
        ],
        broadcasts: [
          { name: 'live', hls: { dvr: false, lowLatency: false }, rtmp: [], streamMode: 'auto', parts: false },
        ],
        announcements: {},
        audienceWait: 900,
        uploadWait: 3_600,
        publish: { formats: ['poster'], access: 'signed' },
        labels: {},
      },
    })
  })

  it('comes to the same show when it is given one that it made', () => {
    const parsed = parseShow(example)
    expect('show' in parsed && parseShow(JSON.parse(JSON.stringify(parsed.show)))).toEqual(parsed)
  })

  it.each([
    ['the longest name', { ...least, name: 'n'.repeat(255) }],
    ['the shortest show', { ...least, duration: 1 }],
    ['the longest show', { ...least, duration: 604_800 }],
    ['fifty recordings', { ...least, recordings: named(50) }],
    ['five broadcasts', { ...least, broadcasts: named(5, { hls: {} }) }],
    ['a recording and a broadcast of one name', { ...least, broadcasts: [{ name: 'program', hls: {} }] }],
    ['the longest waits', { ...least, audienceWait: 86_400, uploadWait: 86_400 }],
    ['a layout of one’s own', withRecording({ layout: { type: 'custom', stylesheet: 'stream { float: left }' } })],
    ['sound alone', withRecording({ hasVideo: false })],
    ['an existing session', { ...least, session: { id: '2_MX4' } }],
  ])('takes %s', (_what, document) => {
    expect(problemsOf(document)).toEqual([])
  })

  it.each([
    ['nothing', null, ''],
    ['a list', [], ''],
    ['another version', { ...least, version: 2 }, 'version'],
    ['no name', { ...least, name: '' }, 'name'],
    ['too long a name', { ...least, name: 'n'.repeat(256) }, 'name'],
    ['no duration', { ...least, duration: 0 }, 'duration'],
    ['half a second', { ...least, duration: 0.5 }, 'duration'],
    ['no recording', { ...least, recordings: [] }, 'recordings'],
    ['too many recordings', { ...least, recordings: named(51) }, 'recordings'],
    ['too many broadcasts', { ...least, broadcasts: named(6, { hls: {} }) }, 'broadcasts'],
    ['a name with a slash', withRecording({ name: 'a/b' }), 'recordings[0].name'],
    ['a name that begins with a dash', withRecording({ name: '-a' }), 'recordings[0].name'],
    ['too long a name of a recording', withRecording({ name: 'n'.repeat(65) }), 'recordings[0].name'],
    ['an unknown resolution', withRecording({ resolution: '1x1' }), 'recordings[0].resolution'],
    ['an unknown layout', withRecording({ layout: { type: 'round' } }), 'recordings[0].layout.type'],
    ['a custom layout without one', withRecording({ layout: { type: 'custom' } }), 'recordings[0].layout.stylesheet'],
    ['neither sound nor picture', withRecording({ hasAudio: false, hasVideo: false }), 'recordings[0]'],
    ['no output', withBroadcast({ hls: undefined }), 'broadcasts[0]'],
    ['too long a show', { ...least, duration: 604_801 }, 'duration'],
    ['contradictory outputs', withBroadcast({ hls: { dvr: true, lowLatency: true } }), 'broadcasts[0].hls'],
    ['a location of an existing session', { ...least, session: { id: 'a', location: 'b' } }, 'session.location'],
    ['no wait for an audience', { ...least, audienceWait: 0 }, 'audienceWait'],
    ['too long a wait for uploads', { ...least, uploadWait: 86_401 }, 'uploadWait'],
  ])('refuses %s at its path', (_what, document, path) => {
    expect(problemsOf(document)).toEqual([expect.stringMatching(new RegExp(`^${path.replace(/[[\]]/g, '\\$&')}: .`))])
  })

  it.each([
    ['colour', { ...least, colour: 'red' }],
    ['session.colour', { ...least, session: { colour: 'red' } }],
    ['recordings[0].colour', withRecording({ colour: 'red' })],
    ['recordings[0].layout.colour', withRecording({ layout: { type: 'bestFit', colour: 'red' } })],
    ['broadcasts[0].rtmp[0].colour', withBroadcast({ rtmp: [{ colour: 'red' }] })],
    ['broadcasts[0].hls.colour', withBroadcast({ hls: { colour: 'red' } })],
    ['broadcasts[0].layout.colour', withBroadcast({ layout: { colour: 'red' } })],
  ])('refuses the unknown field %s rather than ignore it', (path, document) => {
    expect(problemsOf(document)).toContain(`${path}: is not a field of a show`)
  })

  it('asks for parts where the platform ends something before the show does', () => {
    const whole = { ...withRecording({ parts: false }), duration: 14_401 }
    expect(problemsOf(whole)).toEqual([
      'recordings[0].parts: must be true in a show of 14401 s: an archive ends after 14400 s',
    ])
    expect(problemsOf({ ...withBroadcast({}), duration: 36_001 })).toEqual([
      'broadcasts[0].parts: must be true in a show of 36001 s: this broadcast ends after 36000 s',
    ])
    expect(problemsOf({ ...withBroadcast({}), duration: 36_000 })).toEqual([]) // as long as the platform lets it run
  })

  it('names every problem at once', () => {
    const document = {
      ...least,
      session: { id: 'a', location: 'b' },
      recordings: [{ name: 'a' }, { name: 'b' }, { name: 'a', hasAudio: false, hasVideo: false }],
      broadcasts: [
        { name: 'c', hls: {} },
        { name: 'c', hls: { dvr: true, lowLatency: true } },
      ],
    }
    expect(problemsOf(document)).toEqual([
      'session.location: is only for a new session',
      'recordings[2]: hasAudio and hasVideo must not both be false',
      'recordings[2].name: a is used twice',
      'broadcasts[1].hls: dvr and lowLatency exclude each other',
      'broadcasts[1].name: c is used twice',
    ])
  })

  it('looks at rules about several fields although one of them is wrong', () => {
    const silent = { name: 'a', resolution: '1x1', hasAudio: false, hasVideo: false }
    const document = { version: 1, session: { id: 'a', location: 'b', colour: 1 }, recordings: [null, silent, silent] }
    expect(problemsOf(document).map((problem) => problem.replace(/: must be "640x480".*/, ': must be …'))).toEqual([
      'name: is missing',
      'duration: is missing',
      'session.colour: is not a field of a show',
      'session.location: is only for a new session',
      'recordings[0]: must be an object',
      'recordings[1].resolution: must be …',
      'recordings[1]: hasAudio and hasVideo must not both be false',
      'recordings[2].resolution: must be …',
      'recordings[2]: hasAudio and hasVideo must not both be false',
      'recordings[2].name: a is used twice',
    ])
  })

  it.each([
    ['name', '', 'must not be empty'],
    ['name', 'n'.repeat(256), 'must have at most 255 characters'],
    ['recordings', [], 'must not be empty'],
    ['recordings', 'all', 'must be a list'],
    ['broadcasts', named(6, { hls: {} }), 'must have at most 5 entries'],
    ['duration', 0.5, 'must be a whole number'],
    ['duration', 0, 'must be at least 1'],
    ['version', 2, 'must be 1'],
    ['uploadWait', '9', 'must be a number'],
  ])('says of %s %j that it %s', (field, value, message) => {
    expect(problemsOf({ ...least, [field]: value })).toEqual([`${field}: ${message}`])
  })
})
