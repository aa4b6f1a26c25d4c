import { accepted, type DocumentCase, refused, unusable } from '../document-case.ts'

/** A destination of a secret, a URL that it is sent to, and true if that is allowed. */
type Row = readonly [destination: string, url: string, isAllowed: boolean]

const servers: readonly Row[] = [
  ['rtmp://a.example', 'rtmp://a.example/app', true],
  ['rtmp://a.example/', 'rtmps://a.example/app', true],
  ['rtmps://a.example/', 'rtmp://a.example/app', false],
  ['rtmps://a.example/', 'rtmps://A.EXAMPLE/app', true],
  ['rtmp://a.example/', 'rtmp://b.example/app', false],
  ['rtmp://a.example/', 'rtmp://a.example.org/app', false],
  ['rtmp://a.example/app', 'rtmp://a.example/app', true],
  ['rtmp://a.example/app', 'rtmp://a.example/app/x', true],
  ['rtmp://a.example/app', 'rtmp://a.example/apple', false],
  ['rtmp://a.example/app', 'rtmp://a.example/', false],
  ['rtmp://a.example:1935/', 'rtmp://a.example/app', true],
  ['rtmp://a.example/', 'rtmp://a.example:1935/app', true],
  ['rtmp://a.example/', 'rtmp://a.example:1936/app', false],
  ['rtmp://a.example:1936/', 'rtmp://a.example:1936/app', true],
  ['rtmps://a.example/', 'rtmps://a.example:443/app', true],
  ['rtmps://a.example:443/', 'rtmps://a.example:1935/app', false],
  ['https://a.example/', 'rtmps://a.example/app', false],
  ['rtmp://a.example/?x', 'rtmp://a.example/app', false],
  ['rtmp://a.example/#x', 'rtmp://a.example/app', false],
  ['rtmp://a.example/;x', 'rtmp://a.example/app', false],
  ['rtmp://me@a.example/', 'rtmp://a.example/app', false],
  ['rtmp://a.example/app', 'rtmp://a.example/app/%2e%2e/x', false],
  ['rtmp://a.example/', 'rtmp://a.example/app/%2Fx', false],
  ['rtmp://a.example/', 'rtmp://a.example/app/%5cx', false],
  ['a.example', 'rtmp://a.example/app', false],
]

const addresses: readonly Row[] = [
  ['sip:a.example', 'sip:desk@a.example', true],
  ['sip:a.example', 'SIPS:desk@A.example:5061', true],
  ['sips:a.example', 'sip:desk@a.example', false],
  ['sips:a.example', 'sip:desk@a.example:5061;transport=tls', true],
  ['sip:desk@a.example', 'sip:desk@a.example', true],
  ['sip:desk@a.example', 'sip:other@a.example', false],
  ['sip:desk@a.example', 'sip:a.example', false],
  ['sip:a.example', 'sip:b.example', false],
  ['sip:a.example', 'sip:a.example:5060', true],
  ['sip:a.example', 'sip:a.example:5070', false],
]
const moreAddresses: readonly Row[] = [
  ['sip:a.example:5070', 'sip:a.example:5070', true],
  ['sip:a.example', 'sip:a.example;maddr=b.example', false],
  ['sip:a.example', 'sip:desk@a.example;transport=udp;user=phone', true],
  ['sip:a.example', 'sip:desk@a.example?Route=b.example', false],
  ['sip:a.example;transport=tls', 'sips:a.example', false],
  ['sip:[2001:db8::7]', 'sip:desk@[2001:db8::7]', true],
  ['sips:a.example:5061', 'sips:a.example', true],
  ['rtmp://a.example/', 'sip:a.example', false],
  ['sip:a.example', 'sip:desk@a.example;transport=tls', true],
  ['sips:a.example', 'sip:a.example;transport=tlsx', false],
]
const callbacks: readonly Row[] = [
  ['https://a.example/', 'https://a.example/events?x=1', true],
  ['http://a.example/', 'https://a.example/events', true],
  ['https://a.example/', 'http://a.example/events', false],
  ['https://a.example/hooks', 'https://a.example/events', false],
  ['https://a.example:8443/', 'https://a.example/events', false],
  ['https://a.example:443/', 'https://a.example/events', true],
  ['http://a.example:80/', 'http://a.example/events', true],
]

const VALUE = 'a value of documents that is long enough'
const lists = { rtmp: servers, sip: [...addresses, ...moreAddresses], http: callbacks }
const keyOf = (kind: keyof typeof lists, row: Row) => `${kind}-${lists[kind].indexOf(row)}`
const referenceTo = (kind: keyof typeof lists, row: Row) => ({ secret: `documents#${keyOf(kind, row)}` })

/** Servers of the accepted documents of other tables. */
const ANY = [
  'rtmp://live.example.com/',
  'rtmp://live.example.com:1936/',
  'rtmps://[2001:db8::7]/',
  'sip:example.com',
  'https://app.example/',
]

/** The secret that documents refer to, with the destinations of each key. */
export const documentSecret: Readonly<Record<string, string | readonly string[]>> = {
  ...{ any: VALUE, 'any.for': ANY, short: 's'.repeat(31), 'short.for': ANY, long: 'l'.repeat(32), 'long.for': ANY },
  ...{ unbound: VALUE, empty: '', 'empty.for': ANY },
  ...Object.assign(
    {},
    ...(Object.keys(lists) as (keyof typeof lists)[]).flatMap((kind) =>
      lists[kind].map((row) => ({ [keyOf(kind, row)]: VALUE, [`${keyOf(kind, row)}.for`]: [row[0]] })),
    ),
  ),
}

const stream = (reference: object, index = 0) => ({
  broadcasts: [
    ...Array.from({ length: index }, (_, number) => ({ name: `other${number}`, hls: {} })),
    { name: 'live', rtmp: [{ id: 'main', serverUrl: 'rtmp://live.example.com/app', streamName: reference }] },
  ],
})

/** Returns the beginning of the message of a secret that cannot be used. */
const cannot = (secret: string, place: string) => `cannot be used: The secret ${secret} cannot be sent to ${place}: …`
const placeOf = (url: string) => /^[a-z]+:(\/\/)?[^/;?]+/i.exec(url)?.[0] ?? ''

const toServers = (rows: readonly Row[]) => ({
  broadcasts: Array.from({ length: Math.ceil(rows.length / 5) }, (_, index) => ({
    name: `b${index}`,
    rtmp: rows.slice(index * 5, index * 5 + 5).map((row, place) => ({
      ...{ id: `s${place}`, serverUrl: row[1], streamName: referenceTo('rtmp', row) },
    })),
  })),
})
const toAddresses = (rows: readonly Row[]) => ({
  dialIns: rows.map((row, index) => ({ name: `call${index}`, uri: row[1], tones: referenceTo('sip', row) })),
})
/** Returns the problems of the rows that are not allowed, at their paths. */
const forbidden = (kind: keyof typeof lists, rows: readonly Row[], pathOf: (index: number) => string) =>
  Object.fromEntries(
    rows.flatMap((row, index) =>
      row[2] ? [] : [[pathOf(index), cannot(`documents#${keyOf(kind, row)}`, placeOf(row[1]))]],
    ),
  )
const serverAt = (index: number) => `broadcasts[${Math.floor(index / 5)}].rtmp[${index % 5}].streamName`
const isAllowed = ([, , allowed]: Row) => allowed

const FORM = 'must be name#key: a secret’s name under the prefix for shows, and a key of its JSON'
const wrong = (secret: string, message: string) =>
  refused(`a reference to ${secret || 'nothing'}`, stream({ secret }), {
    'broadcasts[0].rtmp[0].streamName.secret': message,
  })

/** References to secrets, and the servers that each may be sent to. */
export const secrets: readonly DocumentCase[] = [
  accepted('secrets for their servers', toServers(servers.filter(isAllowed))),
  unusable('secrets for other servers', toServers(servers), forbidden('rtmp', servers, serverAt)),
  unusable(
    'secrets for other addresses',
    toAddresses(addresses),
    forbidden('sip', addresses, (index) => `dialIns[${index}].tones`),
  ),
  unusable(
    'secrets for more addresses',
    toAddresses(moreAddresses),
    forbidden('sip', moreAddresses, (index) => `dialIns[${index}].tones`),
  ),
  ...callbacks.map((row) => {
    const [destination, url] = row
    const change = { callback: { url, secret: referenceTo('http', row) } }
    return row[2]
      ? accepted(`a secret for ${destination} at ${url}`, change)
      : unusable(
          `a secret for ${destination} at ${url}`,
          change,
          forbidden('http', [row], () => 'callback.secret'),
        )
  }),
  unusable(
    'secrets that are missing, in every place',
    {
      ...stream({ secret: 'documents#missing' }, 1),
      dialIns: [
        { name: 'a', uri: 'sip:desk@example.com' },
        {
          ...{ name: 'b', uri: 'sip:desk@example.com', tones: { secret: 'no/such#key' } },
          ...{ headers: { 'X-a': 'plain', 'X-b': { secret: 'documents#unbound' } } },
          auth: { username: 'a', password: { secret: 'documents#empty' } },
        },
      ],
      callback: { url: 'https://app.example/', secret: { secret: 'documents#any.For' } },
    },
    {
      'broadcasts[1].rtmp[0].streamName': cannot('documents#missing', 'rtmp://live.example.com'),
      'dialIns[1].headers.X-b': cannot('documents#unbound', 'sip:desk@example.com'),
      'dialIns[1].auth.password': cannot('documents#empty', 'sip:desk@example.com'),
      'dialIns[1].tones': cannot('no/such#key', 'sip:desk@example.com'),
      'callback.secret': cannot('documents#any.For', 'https://app.example'),
    },
  ),
  unusable(
    'a secret of callbacks that is too short',
    { callback: { url: 'https://app.example/', secret: { secret: 'documents#short' } } },
    { 'callback.secret': 'cannot be used: The secret documents#short is too short: it needs 32 characters.' },
  ),
  accepted(
    'secrets of callbacks and streams',
    {
      ...stream({ secret: 'documents#any' }),
      callback: { url: 'https://app.example/', secret: { secret: 'documents#long' } },
    },
    {
      steps: [
        'secrets: documents#any, documents#long must exist',
        'broadcast: live: no HLS, RTMP main to rtmp://live.example.com/app, 1280x720 bestFit',
      ],
    },
  ),
  unusable(
    'references of the longest form',
    stream({ secret: `${'n'.repeat(188)}/_+=.@-A1..z#${'k'.repeat(95)}_.-A1` }),
    {
      'broadcasts[0].rtmp[0].streamName': cannot(
        `${'n'.repeat(188)}/_+=.@-A1..z#${'k'.repeat(95)}_.-A1`,
        'rtmp://live.example.com',
      ),
    },
  ),
  wrong(`${'n'.repeat(201)}#key`, FORM),
  wrong(`name#${'k'.repeat(101)}`, FORM),
  wrong('name', FORM),
  wrong('#key', FORM),
  wrong('name#', FORM),
  wrong('name#a/b', FORM),
  wrong('a#b#c', FORM),
  wrong('', FORM),
  wrong('../name#key', 'must not leave the prefix for shows'),
  wrong('a/..#key', 'must not leave the prefix for shows'),
  wrong('name#..', 'must not leave the prefix for shows'),
  wrong('name#__proto__', 'must not name __proto__, constructor or prototype'),
  wrong('name#constructor', 'must not name __proto__, constructor or prototype'),
  wrong('name#prototype', 'must not name __proto__, constructor or prototype'),
  wrong('name#key.for', 'must not name a list of destinations: its key ends with .for'),
  refused('a stream key in the open', stream('key' as never), {
    'broadcasts[0].rtmp[0].streamName': 'must be an object',
  }),
]
