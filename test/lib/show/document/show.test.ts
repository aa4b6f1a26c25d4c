import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formats } from '../../../../lib/show/document/publishing.ts'
import { parseShow } from '../../../../lib/show/document/show.ts'

const example: object = JSON.parse(readFileSync(new URL('../../../../examples/webinar.json', import.meta.url), 'utf8'))
const least = { version: 1, name: 'Least', duration: 20, recordings: [{ name: 'program' }] }

/** Problems of a document, as `path: message`. */
const problemsOf = (document: unknown) => {
  const parsed = parseShow(document)
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
}
const withRecording = (changes: object) => ({ ...least, recordings: [{ name: 'program', ...changes }] })
const withBroadcast = (changes: object) => ({ ...least, broadcasts: [{ name: 'live', hls: {}, ...changes }] })
const named = (count: number, more = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, ...more }))

describe('parseShow', () => {
  it('accepts the example', () => {
    expect(problemsOf(example)).toEqual([])
  })

  it('adds the defaults', () => {
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
        cues: [],
        announcements: {},
        audienceWait: 900,
        uploadWait: 3_600,
        publish: { formats: formats.filter((format) => format !== 'composite'), access: 'signed' },
        page: {},
        labels: {},
      },
    })
  })

  it('parses its own output to the same show', () => {
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
    ['audio alone', withRecording({ hasVideo: false })],
    ['an existing session', { ...least, session: { id: '2_MX4' } }],
  ])('accepts %s', (_what, document) => {
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
    ['neither a recording nor a broadcast', { ...least, recordings: [], broadcasts: [] }, 'recordings'],
    ['too many recordings', { ...least, recordings: named(51) }, 'recordings'],
    ['too many broadcasts', { ...least, broadcasts: named(6, { hls: {} }) }, 'broadcasts'],
    ['a name with a slash', withRecording({ name: 'a/b' }), 'recordings[0].name'],
    ['a name that begins with a dash', withRecording({ name: '-a' }), 'recordings[0].name'],
    ['too long a name of a recording', withRecording({ name: 'n'.repeat(65) }), 'recordings[0].name'],
    ['an unknown resolution', withRecording({ resolution: '1x1' }), 'recordings[0].resolution'],
    ['an unknown layout', withRecording({ layout: { type: 'round' } }), 'recordings[0].layout.type'],
    ['a custom layout without one', withRecording({ layout: { type: 'custom' } }), 'recordings[0].layout.stylesheet'],
    ['neither audio nor picture', withRecording({ hasAudio: false, hasVideo: false }), 'recordings[0]'],
    ['no output', withBroadcast({ hls: undefined }), 'broadcasts[0]'],
    ['too long a show', { ...least, duration: 604_801 }, 'duration'],
    ['contradictory outputs', withBroadcast({ hls: { dvr: true, lowLatency: true } }), 'broadcasts[0].hls'],
    ['a location of an existing session', { ...least, session: { id: 'a', location: '::1' } }, 'session.location'],
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

  it.each([
    ['recordings[0].layuot', 'layout', withRecording({ layuot: {} })],
    ['recordings[0].Resolution', 'resolution', withRecording({ Resolution: '1280x720' })],
    ['publish.keepdays', 'keepDays', { ...withRecording({}), publish: { keepdays: 3 } }],
    ['broadcast', 'broadcasts', { ...withRecording({}), broadcast: [] }],
    ['start.zoen', 'zone', { ...withRecording({}), start: { at: '2027-01-01T19:00', zoen: 'UTC' } }],
  ])('suggests what %s probably means', (path, meant, document) => {
    expect(problemsOf(document)).toContain(`${path}: is not a field of a show: did you mean ${meant}?`)
  })

  it('asks for parts where the platform ends something before the show does', () => {
    const whole = { ...withRecording({ parts: false }), duration: 14_401 }
    expect(problemsOf(whole)).toEqual([
      'recordings[0].parts: must be true in a show of 14401 s: the platform stops an archive after 14400 s',
    ])
    expect(problemsOf({ ...withBroadcast({}), duration: 36_001 })).toEqual([
      'broadcasts[0].parts: must be true in a show of 36001 s: the platform stops this broadcast after 36000 s',
    ])
    expect(problemsOf({ ...withBroadcast({}), duration: 36_000 })).toEqual([]) // as long as the platform lets it run
  })

  it('names every problem at once', () => {
    const document = {
      ...least,
      session: { id: 'a', location: '::1' },
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

  it('checks rules about several fields although one of them is invalid', () => {
    const silent = { name: 'a', resolution: '1x1', hasAudio: false, hasVideo: false }
    const document = {
      version: 1,
      session: { id: 'a', location: '::1', colour: 1 },
      recordings: [null, silent, silent],
    }
    expect(problemsOf(document).map((problem) => problem.replace(/: must be 640x480.*/, ': must be …'))).toEqual([
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
    ['recordings', [], 'must have an entry if there is no broadcast'],
    ['recordings', 'all', 'must be a list'],
    ['broadcasts', named(6, { hls: {} }), 'must have at most 5 entries'],
    ['duration', 0.5, 'must be a whole number'],
    ['duration', 0, 'must be at least 1'],
    ['version', 2, 'must be 1 or 1.1'],
    ['uploadWait', '9', 'must be a whole number'],
    ['session', 'new', 'must be an object'],
    ['labels', ['a'], 'must be an object'],
    ['duration', '60', 'must be a whole number'],
    ['duration', 1e300, 'must be at most 604800'],
    ['name', '   ', 'must not be blank'],
    ['name', '\u200b', 'must not be blank'],
    ['name', 'a\u001b[2Jb', 'must not contain control characters'],
  ])('refuses %s %j: %s', (field, value, message) => {
    expect(problemsOf({ ...least, [field]: value })).toEqual([`${field}: ${message}`])
  })

  const rtmp = (serverUrl: string) =>
    withBroadcast({ rtmp: [{ id: 'main', serverUrl, streamName: { secret: 'streams#main' } }] })
  const scene = (url: string) => ({ ...least, scenes: [{ name: 'slides', url }] })
  const callback = (url: string) => ({ ...least, callback: { url } })
  const dialIn = (changes: object) => ({ ...least, dialIns: [{ name: 'phone', uri: 'sip:a@example.com', ...changes }] })

  it.each([
    ['a server with a port', rtmp('rtmp://live.example.com:1936/app/instance')],
    ['a server by its address', rtmp('rtmps://[2001:db8::7]/app')],
    ['a page with a query', scene('https://slides.example.com/deck?of=7&by=a@b')],
    ['a callback with a query', callback('https://app.example.com/hooks?tenant=7')],
    ['a location of either kind', { ...least, session: { location: '2001:db8::7' } }],
    ['labels of any words', { ...least, labels: { 'team.1': 'Größe 🎉', empty: '' } }],
  ])('accepts %s', (_what, document) => {
    expect(problemsOf(document)).toEqual([])
  })

  const serverUrl = 'broadcasts[0].rtmp[0].serverUrl'
  it.each([
    [rtmp('rtmp:foo'), `${serverUrl}: must name a host`],
    [rtmp('rtmp://'), `${serverUrl}: must name a host`],
    [rtmp('rtmp:///x'), `${serverUrl}: must name a host`],
    [rtmp('rtmp:u:p@h/app'), `${serverUrl}: must name a host`],
    [rtmp('rtmp://u:p@h/app'), `${serverUrl}: must not carry a user or a password`],
    [rtmp('rtmp://u@h/app'), `${serverUrl}: must not carry a user or a password`],
    [rtmp('https://h/app'), `${serverUrl}: must be the URL of a server, rtmp:// or rtmps://`],
    [rtmp('rtmp://h/app\n'), `${serverUrl}: must not contain white space, control characters or backslashes`],
    [rtmp('rtmp://h/a pp'), `${serverUrl}: must not contain white space, control characters or backslashes`],
    [rtmp('rtmp:\\\\u:p@h/app'), `${serverUrl}: must not contain white space, control characters or backslashes`],
    [scene('https:///slides.example.com'), 'scenes[0].url: must be the URL of a web page'],
    [scene('slides.example.com/deck'), 'scenes[0].url: must be the URL of a web page'],
    [scene('https:u:p@slides.example.com/deck'), 'scenes[0].url: must not carry a user or a password'],
    [callback('https:u:p@app.example.com'), 'callback.url: must not carry a user or a password'],
    [{ ...least, session: { location: 'Berlin' } }, 'session.location: must be an IP address'],
    [{ ...least, session: { id: '1 2' } }, 'session.id: must be 1 to 200 characters of ASCII without spaces'],
    [{ ...least, session: { id: 'a'.repeat(201) } }, 'session.id: must be 1 to 200 characters of ASCII without spaces'],
    [{ ...least, labels: { room: 'a\u001b[2J' } }, 'labels.room: must not contain control characters'],
    [{ ...least, labels: { room: 'a\u202eb' } }, 'labels.room: must not contain control characters'],
    [{ ...least, labels: { 'a b': '' } }, 'labels.a b: is a name that must be 1 to 64 letters, digits or _.:/-'],
    [
      { ...least, labels: { constructor: 'a' } },
      'labels.constructor: is a name that must not be constructor or prototype',
    ],
    [
      { ...least, announcements: { recordingStarted: { type: 'a\nb', data: 'c\nd' } } },
      'announcements.recordingStarted.type: must not contain control characters',
    ],
    [
      dialIn({ headers: { Authorization: 'a' } }),
      'dialIns[0].headers.Authorization: is a name that must begin with X-',
    ],
    [dialIn({ headers: { 'X-Pin': 7 } }), 'dialIns[0].headers.X-Pin: must be a text or { secret }'],
    [
      dialIn({ headers: { 'X-Pin': { secret: 'a#b', key: 'c' } } }),
      'dialIns[0].headers.X-Pin.key: is not a field of a show',
    ],
    [
      dialIn({ headers: { 'X-Pin': { secret: 'a#__proto__' } } }),
      'dialIns[0].headers.X-Pin.secret: must not name __proto__, constructor or prototype',
    ],
  ])('refuses %j: %s', (document, problem) => {
    expect(problemsOf(document)).toEqual([problem])
  })

  it('reports a URL that is too long for both of its limits once', () => {
    expect(problemsOf(scene('https://h/'.padEnd(2_049, 'a')))).toEqual([
      'scenes[0].url: must have at most 2048 characters',
    ])
  })

  it('accepts servers with up to 2048 characters', () => {
    const server = (length: number) => rtmp('rtmp://h/'.padEnd(length, 'a'))
    expect(problemsOf(server(2_048))).toEqual([])
    expect(problemsOf(server(2_049))).toEqual([`${serverUrl}: must have at most 2048 characters`])
  })

  it.each([
    [{ at: '2027-01-01T19:00', cron: '0 9 * * ? *' }, 'start: must have at or cron: they exclude each other'],
    [{ zone: 'UTC' }, 'start: must be { at, zone } or { cron, zone }'],
    ['now', 'start: must be { at, zone } or { cron, zone }'],
    [{ at: '2027-01-01T19:00', colour: 1 }, 'start.colour: is not a field of a show'],
    [{ cron: 7, zone: 'UTC' }, 'start.cron: must be a text'],
    [{ at: '2027-01-01T19:00', zone: 'Berlin' }, 'start.zone: must be a time zone such as Europe/Berlin'],
    [{ at: '2027-02-30T19:00' }, 'start.at: is not a date'],
    [{ at: '0001-01-01T19:00' }, 'start.at: must be in the years 1970 to 2199'],
    [{ cron: '0 0 31 2 ? *' }, 'start.cron: never occurs: none of its months has such a day'],
  ])('names the problem of the start %j: %s', (start, problem) => {
    expect(problemsOf({ ...least, start })).toEqual([problem])
  })

  it.each(['{"labels":{"__proto__":"a"}}', '{"dialIns":[{"headers":{"__proto__":"a"}}]}', '{"__proto__":{}}'])(
    'refuses %s, which would be passed over',
    (text) => {
      const document = JSON.parse(`{"version":1,${text.slice(1)}`)
      expect(problemsOf(document)).toEqual([expect.stringMatching(/__proto__: is not a valid field name$/)])
    },
  )

  it('refuses a document that is nested too deeply', () => {
    const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
    expect(problemsOf(deep(100_000))).toEqual(['[0]: is nested more than 16 levels deep'])
    expect(problemsOf({ ...least, labels: deep(5_000) })).toEqual(['labels: is nested more than 16 levels deep'])
    expect(problemsOf({ ...least, labels: { deep: deep(14) } })).toEqual(['labels.deep: must be a text'])
    expect(problemsOf({ ...least, labels: { deep: deep(15) } })).toEqual(['labels: is nested more than 16 levels deep'])
  })
})
