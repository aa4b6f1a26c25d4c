import { accepted, type DocumentCase, refused, times } from '../document-case.ts'

const URI = 'must be a SIP URI such as sip:user@example.com'
const PASSWORD = 'must not carry a password: give it as auth'
const FROM = 'must have the form from@domain'
const HEADER = 'is a name that must begin with X-'
const CLASS = 'must be 1 to 64 characters of ASCII without spaces'
const TEXT = 'must be a text or { secret }'
const TONES = 'must be digits (0-9, *, #, p) or { secret }'
const URI_OF = 'sip:desk@example.com'

/** Returns the change to calls with these fields. */
const calls = (...list: readonly object[]) => ({
  dialIns: list.map((fields, index) => ({ name: `call${index}`, uri: URI_OF, ...fields })),
})
const uris = (...list: readonly string[]) => calls(...list.map((uri) => ({ uri })))
const inCalls = (field: string, ...messages: readonly string[]) =>
  Object.fromEntries(messages.map((message, index) => [`dialIns[${index}].${field}`, message]))

/** Calls into the session, and layout classes. */
export const dialIns: readonly DocumentCase[] = [
  accepted('calls by default', calls({}), {
    show: { dialIns: [{ headers: {}, secure: false, video: false, observeForceMute: false, layoutClasses: [] }] },
    steps: [`dial-in: call0: ${URI_OF}`],
  }),
  accepted(
    'calls to every kind of address',
    uris('sip:a', 'SIPS:desk@example.com:5061;transport=tls', 'sip:example.com:5060', `sip:${'a'.repeat(2_044)}`),
  ),
  refused(
    'calls to other addresses',
    uris('sip:', 'tel:+15551234567', 'desk@example.com', 'sip:a b', 'sipx:a', `sip:${'a'.repeat(2_045)}`),
    {
      ...inCalls('uri', URI, URI, URI, URI, URI),
      'dialIns[5].uri': 'must have at most 2048 characters',
    },
  ),
  refused(
    'calls with a password',
    uris('sip:me:pass@example.com', 'SIPS:me:@example.com', 'sip::pass@example.com'),
    inCalls('uri', PASSWORD, PASSWORD, PASSWORD),
  ),
  accepted('callers', calls({ from: 'a@b' }, { from: `${'1'.repeat(318)}@b` })),
  refused('other callers', calls({ from: 'a' }, { from: 'a@b@c' }, { from: '@b' }, { from: `${'1'.repeat(319)}@b` }), {
    ...inCalls('from', FROM, FROM, FROM),
    'dialIns[3].from': 'must have at most 320 characters',
  }),
  accepted(
    'headers',
    calls({ headers: { 'X-Show_1': 'v'.repeat(1_024), 'X-a': '', 'X-b': { secret: 'documents#any' } } }),
    {
      show: { dialIns: [{ headers: { 'X-b': { secret: 'documents#any' } } }] },
      steps: ['secrets: documents#any must exist'],
    },
  ),
  refused('headers with other names', calls({ headers: { 'x-a': '', From: '', 'X-': '', 'X-a b': '' } }), {
    'dialIns[0].headers.x-a': HEADER,
    'dialIns[0].headers.From': HEADER,
    'dialIns[0].headers.X-': HEADER,
    'dialIns[0].headers.X-a b': HEADER,
  }),
  refused('headers with other values', calls({ headers: { 'X-a': 'v'.repeat(1_025), 'X-b': 'a\r\nb', 'X-c': 1 } }), {
    'dialIns[0].headers.X-a': 'must have at most 1024 characters',
    'dialIns[0].headers.X-b': 'must not contain control characters',
    'dialIns[0].headers.X-c': TEXT,
  }),
  accepted(
    'user names',
    calls(
      { auth: { username: 'a', password: { secret: 'documents#any' } } },
      { auth: { username: 'a'.repeat(255), password: { secret: 'documents#any' } } },
    ),
  ),
  refused(
    'other user names',
    calls(
      { auth: { username: '', password: { secret: 'documents#any' } } },
      { auth: { username: 'a'.repeat(256), password: { secret: 'documents#any' } } },
      { auth: { username: 'a' } },
      { auth: { username: 'a\n', password: 'in the open' } },
    ),
    {
      'dialIns[0].auth.username': 'must not be empty',
      'dialIns[1].auth.username': 'must have at most 255 characters',
      'dialIns[2].auth.password': 'is missing',
      'dialIns[3].auth.username': 'must not contain control characters',
      'dialIns[3].auth.password': 'must be an object',
    },
  ),
  accepted(
    'tones',
    calls(
      { tones: '0123456789*#p' },
      { tones: '1'.repeat(100), secure: true, video: true, layoutClasses: ['a', 'b'] },
      { tones: { secret: 'documents#any' }, video: true },
    ),
    {
      steps: [
        `dial-in: call0: ${URI_OF}, tones after it is answered`,
        `dial-in: call1: ${URI_OF}, encrypted, with video, as a b, tones after it is answered`,
        `dial-in: call2: ${URI_OF}, with video, tones after it is answered`,
        'secrets: documents#any must exist',
      ],
    },
  ),
  refused('other tones', calls({ tones: '12a' }, { tones: '' }, { tones: '1'.repeat(101) }, { tones: 12 }), {
    'dialIns[0].tones': 'must consist of 0-9, *, # and p',
    'dialIns[1].tones': 'must consist of 0-9, *, # and p',
    'dialIns[2].tones': 'must have at most 100 characters',
    'dialIns[3].tones': TONES,
  }),
  refused(
    'references that are not whole',
    calls({ tones: {}, headers: { 'X-a': { secret: 5 }, 'X-b': { secret: 'documents#any', key: 'x' } } }),
    {
      'dialIns[0].tones.secret': 'is missing',
      'dialIns[0].headers.X-a.secret': 'must be a text',
      'dialIns[0].headers.X-b.key': 'is not a field of a show',
    },
  ),
  refused('switches of calls that are texts', calls({ secure: 'yes', video: 1, observeForceMute: null }), {
    'dialIns[0].secure': 'must be true or false',
    'dialIns[0].video': 'must be true or false',
    'dialIns[0].observeForceMute': 'must be true or false',
  }),
  accepted(
    '10 calls with 10 classes',
    calls(...times(10, () => ({ layoutClasses: times(10, (n) => `${n}${'c'.repeat(63)}`) }))),
  ),
  refused('11 calls', calls(...times(11, () => ({}))), { dialIns: 'must have at most 10 entries' }),
  refused(
    'other layout classes',
    {
      ...calls({ layoutClasses: ['a b', 'c'.repeat(65), ''] }),
      scenes: [{ name: 'a', url: 'https://app.example/a', layoutClasses: times(11, (n) => `c${n}`) }],
    },
    {
      'dialIns[0].layoutClasses[0]': CLASS,
      'dialIns[0].layoutClasses[1]': CLASS,
      'dialIns[0].layoutClasses[2]': CLASS,
      'scenes[0].layoutClasses': 'must have at most 10 entries',
    },
  ),
]
