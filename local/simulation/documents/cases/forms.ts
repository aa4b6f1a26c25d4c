import { accepted, type DocumentCase, refused } from '../document-case.ts'

const NO_FIELD = 'is not a field of a show'
const meant = (name: string) => `${NO_FIELD}: did you mean ${name}?`
const NEW = 'is only for a new session'

/** Returns lists in each other, of which the innermost is at a depth. */
const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)])

const BYTES = 200_000
const cue = (length: number) => ({ at: 1, signal: { type: 'x', data: 'd'.repeat(length) } })
/** Returns cues by which the document has a number of bytes. */
function sized(bytes: number) {
  const full = Array.from({ length: 24 }, () => cue(8_100))
  const document = { version: 1.1, name: 'Webinar', duration: 600, recordings: [{ name: 'program' }] }
  const others = JSON.stringify({ ...document, cues: [...full, cue(0)] }).length
  return { cues: [...full, cue(bytes - others)] }
}

/** The form of documents: types, unknown fields, size and session. */
export const forms: readonly DocumentCase[] = [
  accepted('a link to the schema', { $schema: 's'.repeat(2_048) }),
  refused(
    'a link to the schema that is too long',
    { $schema: 's'.repeat(2_049) },
    {
      $schema: 'must have at most 2048 characters',
    },
  ),
  refused('another version', { version: 2 }, { version: 'must be 1 or 1.1' }),
  refused('a version that is a text', { version: '1' }, { version: 'must be 1 or 1.1' }),
  refused(
    'a document without required fields',
    { version: undefined, name: undefined, duration: undefined, recordings: undefined },
    { version: 'is missing', name: 'is missing', duration: 'is missing', recordings: 'is missing' },
  ),
  refused(
    'fields of other types',
    { name: 5, duration: '600', recordings: {}, session: 'new', labels: 'a', audienceWait: 1.5, broadcasts: null },
    {
      name: 'must be a text',
      duration: 'must be a whole number',
      recordings: 'must be a list',
      session: 'must be an object',
      labels: 'must be an object',
      audienceWait: 'must be a whole number',
      broadcasts: 'must be a list',
    },
  ),
  refused(
    'misspelled fields',
    { durration: 1, RECORDING: [], adienceWiat: 1, lables: {}, start_: {}, colour: 1, nam: 1, pages: {}, sesion: {} },
    {
      durration: meant('duration'),
      RECORDING: meant('recordings'),
      adienceWiat: meant('audienceWait'),
      lables: meant('labels'),
      start_: meant('start'),
      colour: NO_FIELD,
      nam: NO_FIELD,
      pages: meant('page'),
      sesion: meant('session'),
    },
  ),
  refused(
    'fields that are near to no other',
    { audience: 1, uploadWaiting: 1, durxxxion: 1, cue: [], xcuesx: [], publ: {}, callbcak: {}, emtyWat: 1 },
    {
      audience: NO_FIELD,
      uploadWaiting: NO_FIELD,
      durxxxion: NO_FIELD,
      cue: NO_FIELD,
      xcuesx: meant('cues'),
      publ: NO_FIELD,
      callbcak: meant('callback'),
      emtyWat: meant('emptyWait'),
    },
  ),
  refused(
    'misspelled fields of parts of a show',
    {
      recordings: [{ name: 'program', resolutoin: '640x480', colour: 1 }],
      session: { locations: '203.0.113.7' },
      publish: { format: [] },
      page: { colour: 'red' },
    },
    {
      'recordings[0].resolutoin': meant('resolution'),
      'recordings[0].colour': NO_FIELD,
      'session.locations': meant('location'),
      'publish.format': meant('formats'),
      'page.colour': NO_FIELD,
    },
  ),
  refused('a field that parsing ignores', JSON.parse('{"labels":{"__proto__":"x"}}'), {
    'labels.__proto__': 'is not a valid field name',
  }),
  refused(
    'a field that parsing ignores in a list',
    { recordings: [{ name: 'a' }, JSON.parse('{"name":"b","publish":{"__proto__":{}}}')] },
    { 'recordings[1].publish.__proto__': 'is not a valid field name' },
  ),
  refused(
    'lists that are nested 17 levels deep',
    { labels: nested(15) },
    {
      labels: 'is nested more than 16 levels deep',
    },
  ),
  refused('lists that are nested 16 levels deep', { labels: nested(14) }, { labels: 'must be an object' }),
  accepted('the largest document', sized(BYTES)),
  refused('a document that is too large', sized(BYTES + 1), { '': 'has 200001 bytes: at most 200000 are accepted' }),
  accepted(
    'an existing session',
    { session: { id: 's'.repeat(200) } },
    {
      steps: [`session: the existing session ${'s'.repeat(200)}`],
    },
  ),
  accepted(
    'a new session',
    { session: { location: '203.0.113.7', archiveMode: 'always' } },
    {
      steps: ['session: a new routed session, near 203.0.113.7, also archived by the platform'],
    },
  ),
  accepted('a new session by default', {}, { show: { session: {} }, steps: ['session: a new routed session'] }),
  accepted(
    'a session near an address of IPv6',
    { session: { location: '2001:db8::7', archiveMode: 'manual' } },
    {
      steps: ['session: a new routed session, near 2001:db8::7'],
    },
  ),
  refused(
    'an id of a session that is too long',
    { session: { id: 's'.repeat(201) } },
    {
      'session.id': 'must be 1 to 200 characters of ASCII without spaces',
    },
  ),
  refused(
    'an empty id of a session',
    { session: { id: '' } },
    {
      'session.id': 'must be 1 to 200 characters of ASCII without spaces',
    },
  ),
  refused(
    'an existing session with the fields of a new one',
    {
      session: { id: 's', location: '203.0.113.7', archiveMode: 'manual' },
    },
    { 'session.location': NEW, 'session.archiveMode': NEW },
  ),
  refused(
    'an existing session with a location',
    { session: { id: 's', location: '203.0.113.7' } },
    {
      'session.location': NEW,
    },
  ),
  refused(
    'a session near no address',
    { session: { location: '203.0.113.256', archiveMode: 'auto' } },
    {
      'session.location': 'must be an IP address',
      'session.archiveMode': 'must be "manual" or "always"',
    },
  ),
]
