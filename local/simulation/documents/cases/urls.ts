import { accepted, type DocumentCase, refused } from '../document-case.ts'

const BLANKS = 'must not contain white space, control characters or backslashes'
const USER = 'must not carry a user or a password'
const HOST = 'must name a host'
const RTMP = 'must be the URL of a server, rtmp:// or rtmps://'
const LONG = 'must have at most 2048 characters'
const padded = (url: string, length: number) => url.padEnd(length, 'p')

const streamName = { secret: 'documents#any' }
/** Returns the change to broadcasts with up to five servers each. */
const servers = (...urls: readonly string[]) => ({
  broadcasts: Array.from({ length: Math.ceil(urls.length / 5) }, (_, index) => ({
    name: `b${index}`,
    rtmp: urls.slice(index * 5, index * 5 + 5).map((serverUrl, place) => ({ id: `s${place}`, serverUrl, streamName })),
  })),
})
const inServers = (...messages: readonly string[]) =>
  Object.fromEntries(
    messages.map((message, index) => [`broadcasts[${Math.floor(index / 5)}].rtmp[${index % 5}].serverUrl`, message]),
  )
const scenes = (...urls: readonly string[]) => ({ scenes: urls.map((url, index) => ({ name: `s${index}`, url })) })
const callback = (url: string) => ({ callback: { url } })
const cover = (url: string) => ({ page: { cover: url } })

/** URLs of servers, pages, pictures and callbacks. */
export const urls: readonly DocumentCase[] = [
  accepted(
    'servers of every form',
    servers(
      'rtmp://live.example.com/app',
      'RTMPS://live.example.com/app?x=1#y',
      'rtmp://live.example.com:1936/app',
      'rtmps://[2001:db8::7]/app/@me',
      padded('rtmp://live.example.com/', 2_048),
    ),
    {
      steps: [
        `broadcast: b0: no HLS, RTMP s0 to rtmp://live.example.com/app, RTMP s1 to RTMPS://live.example.com/app?x=1#y, RTMP s2 to rtmp://live.example.com:1936/app, RTMP s3 to rtmps://[2001:db8::7]/app/@me, RTMP s4 to ${padded('rtmp://live.example.com/', 2_048)}, 1280x720 bestFit`,
      ],
    },
  ),
  refused(
    'servers with another protocol',
    servers(
      'http://live.example.com/app',
      'rtmpt://live.example.com/app',
      'rtmpsx://a/',
      'xrtmp://a/',
      'live.example.com',
      '',
    ),
    inServers(RTMP, RTMP, RTMP, RTMP, RTMP, RTMP),
  ),
  refused(
    'servers with a user',
    servers('rtmp://me@live.example.com/app', 'rtmp://me:pass@a/', 'rtmp://:pass@a/', 'rtmp://@a/', 'rtmps://me@/'),
    inServers(USER, USER, USER, USER, RTMP),
  ),
  refused(
    'servers without a host',
    servers('rtmp:///app', 'rtmp:/live.example.com', 'rtmp:live', 'rtmp://'),
    inServers(HOST, HOST, HOST, HOST),
  ),
  refused(
    'servers with white space',
    servers('rtmp://a/b c', ' rtmp://a/', 'rtmp://a/\n', 'rtmp:\\\\a\\b', 'rtmp://a/\u0001', 'rtmp://a/\u00a0'),
    inServers(BLANKS, BLANKS, BLANKS, BLANKS, BLANKS, BLANKS),
  ),
  refused('a server with a port that does not exist', servers('rtmp://live.example.com:65536/app'), inServers(RTMP)),
  refused('a server whose URL is too long', servers(padded('rtmp://live.example.com/', 2_049)), inServers(LONG)),
  refused(
    '6 servers of a broadcast',
    {
      broadcasts: [
        {
          name: 'live',
          rtmp: Array.from({ length: 6 }, (_, index) => ({ id: `s${index}`, serverUrl: 'rtmp://a/', streamName })),
        },
      ],
    },
    { 'broadcasts[0].rtmp': 'must have at most 5 entries' },
  ),
  accepted(
    'scenes with the shortest and the longest URL',
    scenes('http://a.bc/def', padded('HTTPS://app.example/', 2_048)),
    {
      steps: ['scene: s0: http://a.bc/def, 1280x720, for up to 2 h'],
      show: { scenes: [{ resolution: '1280x720', maxDuration: 7_200, layoutClasses: [] }] },
    },
  ),
  refused('scenes with URLs of wrong lengths', scenes('http://a.bc/de', padded('https://app.example/', 2_049)), {
    'scenes[0].url': 'must have at least 15 characters',
    'scenes[1].url': LONG,
  }),
  refused(
    'scenes with other URLs',
    scenes('ftp://app.example/a', 'https:app.example/page', 'https://me@app.example/', 'https:///app.example/page'),
    {
      'scenes[0].url': 'must be the URL of a web page',
      'scenes[1].url': 'must be the URL of a web page',
      'scenes[2].url': USER,
      'scenes[3].url': 'must be the URL of a web page',
    },
  ),
  accepted(
    'scenes with the shortest and the longest time',
    {
      scenes: [
        { name: 'a', url: 'https://app.example/a', maxDuration: 60, layoutClasses: ['focus', 'full'] },
        {
          name: 'b',
          url: 'https://app.example/b',
          maxDuration: 36_000,
          resolution: '480x640',
          layoutClasses: ['wide'],
        },
      ],
    },
    {
      steps: [
        'scene: a: https://app.example/a, 1280x720, for up to 1 min, as focus full',
        'scene: b: https://app.example/b, 480x640, for up to 10 h, as wide',
      ],
    },
  ),
  refused(
    'scenes with other times',
    {
      scenes: [
        { name: 'a', url: 'https://app.example/a', maxDuration: 59 },
        { name: 'b', url: 'https://app.example/b', maxDuration: 36_001, resolution: '480x480' },
      ],
    },
    {
      'scenes[0].maxDuration': 'must be at least 60',
      'scenes[1].maxDuration': 'must be at most 36000',
      'scenes[1].resolution':
        'must be "640x480" or "1280x720" or "1920x1080" or "480x640" or "720x1280" or "1080x1920"',
    },
  ),
  accepted('10 scenes', scenes(...Array.from({ length: 10 }, (_, index) => `https://app.example/${index}`))),
  refused('11 scenes', scenes(...Array.from({ length: 11 }, (_, index) => `https://app.example/${index}`)), {
    scenes: 'must have at most 10 entries',
  }),
  accepted('no callback', {}, { steps: ['events: on the event bus'] }),
  accepted('a callback', callback('https://app.example/hooks?tenant=7'), {
    steps: ['events: on the event bus and to https://app.example/hooks?tenant=7'],
  }),
  accepted('the longest callback', callback(padded('http://app.example/', 2_048))),
  refused('a callback whose URL is too long', callback(padded('http://app.example/', 2_049)), { 'callback.url': LONG }),
  refused('a callback by another protocol', callback('ws://app.example/'), {
    'callback.url': 'must be an https URL, or locally an http one',
  }),
  refused('a callback with a password', callback('https://me:pass@app.example/'), { 'callback.url': USER }),
  refused('a callback without its URL', { callback: {} }, { 'callback.url': 'is missing' }),
  accepted('the longest cover', cover(padded('https://app.example/', 2_048))),
  refused('a cover whose URL is too long', cover(padded('https://app.example/', 2_049)), { 'page.cover': LONG }),
  refused('a cover of a user', cover('https://me@app.example/'), { 'page.cover': USER }),
]
