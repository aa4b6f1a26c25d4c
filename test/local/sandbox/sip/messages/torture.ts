interface Parts {
  readonly start?: string
  /** Fields that a case replaces or adds; undefined leaves a field out. */
  readonly fields?: Readonly<Record<string, string | undefined>>
  /** Further lines. */
  readonly lines?: readonly string[]
  readonly body?: string
}

const user = 'sip:user@host.example'

/** Writes an OPTIONS request, or what a case makes of it. */
export function message({ start = `OPTIONS ${user} SIP/2.0`, fields = {}, lines = [], body = '' }: Parts = {}): string {
  const method = /^(\S+)/.exec(start)?.[1] ?? ''
  const all = {
    Via: 'SIP/2.0/UDP host.example:5060;branch=z9hG4bK-1',
    'Max-Forwards': '70',
    From: '<sip:caller@host.example>;tag=1',
    To: `<${user}>`,
    'Call-ID': 'case@host.example',
    CSeq: `1 ${method.startsWith('SIP/') ? 'OPTIONS' : method}`,
    'Content-Length': `${body.length}`,
    ...fields,
  }
  const written = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  return [start, ...written, ...lines, '', body].join('\r\n')
}

/** Every freedom of the grammar in one INVITE. */
export const tortuous = [
  'INVITE sip:alice@host.example;kept=yes SIP/2.0',
  'TO :',
  ' "J, \\"Rose\\""       <sip:alice@host.example> ;  Other = yes',
  'fROM : "Bob  \\\\" <sip:bob@host.example>',
  '  ;',
  '  tag = 17',
  'mAX-fORWARDS: 068',
  'i: tortuous.1@host.example',
  'l: 3',
  'c: application/sdp',
  'CSEQ: 0009',
  '  INVITE',
  'Via  : SIP  /   2.0',
  ' /UDP',
  '    192.0.2.2;branch=z9hG4bKone',
  'Subject:',
  'v:  SIP  / 2.0  / TCP     near.example   ;',
  '  branch  =   z9hG4bKtwo  ,',
  ' SIP  /    2.0   / UDP  192.168.255.1;branch=z9hG4bKthree',
  'X-Unknown: ;;,,;;,;',
  'm:"Quoted string \\"\\"" <sip:bob@host.example> ; newparam =',
  '  newvalue ;',
  '  last ; q = 0.33',
  '',
  'v=0',
].join('\r\n')

type Expected = 'valid' | 'dropped' | number
/** The last is what a user agent answers to a valid request outside of a call. @default 200, to OPTIONS */
type Case = readonly [section: string, expected: Expected, name: string, text: string, answer?: number | 'none']

const starts = (start: string, parts: Parts = {}) => message({ ...parts, start })
const has = (fields: NonNullable<Parts['fields']>) => message({ fields })

const odd = "!odd-Method09_*+`.%indeed'~ sip:1_2.3!4~*'()&=+$,;?/:p&=+$,@host.example SIP/2.0"
const long = {
  fields: { To: `"${'long '.repeat(200)}" <sip:${'u'.repeat(900)}@host.example>` },
  lines: Array.from({ length: 34 }, (_, hop) => `v: SIP/2.0/TCP h${hop}.example;branch=z9hG4bK${hop}`),
}
const parts = { fields: { 'Content-Type': 'multipart/mixed;boundary="x-"' }, body: '--x-\r\n\r\na\r\n--x---' }
const repeated = ['CSeq: 5 OPTIONS', 'Call-ID: other@host.example', 'From: <sip:other@host.example>;tag=2']
const vias = ['Via: SIP/2.0/UNKNOWN h.example;branch=z9hG4bKb', 'Via: SIP/2.0/SCTP h.example;branch=z9hG4bKc']
const schemes = { To: '<isbn:2983792873>', From: '<http://www.example.com>;tag=3', Contact: '<name:John_Smith>' }
const older = { Via: 'SIP/2.0/UDP host.example:5060', 'Max-Forwards': undefined, From: '<sip:caller@host.example>' }

const unknownBody = { fields: { 'Content-Type': 'application/unknownformat' }, body: '<audio/>' }
const unreadable = { fields: { Accept: 'text/nobodyKnowsThis' } }
const broadcast = ['Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bKb']

const cases: readonly Case[] = [
  ['3.1.1.1', 'valid', 'every freedom of the grammar', tortuous, 403],
  ['3.1.1.2', 'valid', 'every character of a method and a user', starts(odd), 501],
  ['3.1.1.3', 'valid', 'escapes in a URI', starts('INVITE sip:sips%3Auser%40a.example@host.example SIP/2.0'), 403],
  ['3.1.1.4', 'valid', 'an escaped null', has({ To: '<sip:nul%00@host.example>' })],
  ['3.1.1.5', 'valid', 'a percent sign that escapes nothing', starts(`RE%47IST%45R ${user} SIP/2.0`), 501],
  ['3.1.1.6', 'valid', 'no space before a bracket', has({ From: 'caller<sip:caller@host.example>;tag=3' })],
  ['3.1.1.7', 'valid', 'long values', message(long)],
  ['3.1.1.8', 'valid', 'a second message in one datagram', message() + message()],
  ['3.1.1.9', 'valid', 'a semicolon in the user', starts('OPTIONS sip:user;par=u%40a.example@host.example SIP/2.0')],
  ['3.1.1.10', 'valid', 'unknown transports', message({ lines: vias })],
  ['3.1.1.11', 'valid', 'a body of several parts', message(parts)],
  ['3.1.1.12', 'valid', 'a reason in another script', starts('SIP/2.0 200 = 2**3 * 5**2 но сто девяносто'), 'none'],
  ['3.1.1.13', 'valid', 'no reason', starts('SIP/2.0 100 '), 'none'],
  ['3.1.2.1', 'dropped', 'separators without values in Via', has({ Via: 'SIP/2.0/UDP 192.0.2.15;;,;,,' })],
  ['3.1.2.1', 400, 'separators without values', has({ Contact: '"Joe" <sip:joe@host.example>;;;;' })],
  ['3.1.2.2', 400, 'a Content-Length beyond the message', has({ 'Content-Length': '9999' })],
  ['3.1.2.3', 400, 'a negative Content-Length', has({ 'Content-Length': '-999' })],
  ['3.1.2.4', 400, 'a CSeq that is too large', has({ CSeq: '36893488147419103232 OPTIONS' })],
  ['3.1.2.4', 400, 'a Max-Forwards that is too large', has({ 'Max-Forwards': '300' })],
  [
    '3.1.2.5',
    'dropped',
    'a response with a CSeq that is too large',
    starts('SIP/2.0 503 Busy', { fields: { CSeq: '9292394834772304023312 OPTIONS' } }),
  ],
  ['3.1.2.6', 400, 'a quote that is not closed', has({ To: '"Mr. J. User <sip:j.user@host.example>' })],
  ['3.1.2.7', 400, 'a request URI in brackets', starts(`INVITE <${user}> SIP/2.0`)],
  ['3.1.2.8', 400, 'a space in the request URI', starts(`INVITE ${user}; lr SIP/2.0`)],
  ['3.1.2.9', 400, 'several spaces in the request line', starts(`INVITE  ${user}  SIP/2.0`)],
  ['3.1.2.10', 400, 'spaces after the request line', starts(`OPTIONS ${user} SIP/2.0  `)],
  ['3.1.2.11', 400, 'header fields in the request URI', starts(`INVITE ${user}?Route=%3Csip:x.example%3E SIP/2.0`)],
  ['3.1.2.12', 'valid', 'a date in a time zone', has({ Date: 'Fri, 01 Jan 2010 16:00:00 EST' })],
  ['3.1.2.13', 400, 'a Contact without brackets', has({ Contact: `${user}?Route=%3Csip:x.example%3E` })],
  ['3.1.2.14', 400, 'spaces inside an address', has({ To: '"User, A" < sip:user@host.example >' })],
  ['3.1.2.15', 400, 'a name that has to be quoted', has({ To: 'Bell, Alexander <sip:a.g.bell@host.example>' })],
  ['3.1.2.16', 505, 'an unknown version', starts(`OPTIONS ${user} SIP/7.0`)],
  ['3.1.2.17', 400, 'a CSeq of another method', has({ CSeq: '8 INVITE' })],
  [
    '3.1.2.18',
    400,
    'an unknown method with another CSeq',
    starts(`NEWMETHOD ${user} SIP/2.0`, { fields: { CSeq: '8 INVITE' } }),
  ],
  ['3.1.2.19', 'dropped', 'a status of ten digits', starts('SIP/2.0 4294967301 better not')],
  ['3.2.1', 400, 'a branch without an id', has({ Via: 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK' })],
  ['3.3.1', 'dropped', 'no To, From and Call-ID', has({ To: undefined, 'Call-ID': undefined, From: undefined })],
  ['3.3.2', 416, 'an unknown scheme', starts('OPTIONS unknownscheme:totally SIP/2.0')],
  ['3.3.3', 416, 'a scheme of another protocol', starts('OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0')],
  ['3.3.4', 'valid', 'unknown schemes in fields', has(schemes)],
  ['3.3.5', 'valid', 'extensions that are required', has({ Require: 'noneHasThis', 'Proxy-Require': 'x' }), 420],
  ['3.3.6', 'valid', 'a body of an unknown type', starts(`INVITE ${user} SIP/2.0`, unknownBody), 415],
  ['3.3.7', 'valid', 'credentials of an unknown scheme', has({ Authorization: 'NoOneKnowsThis opaque-data=here' })],
  ['3.3.8', 400, 'repeated fields', message({ lines: repeated })],
  ['3.3.9', 400, 'two Content-Length fields', message({ lines: ['Content-Length: 1'] })],
  ['3.3.10', 'valid', 'a response with a Via of broadcast', starts('SIP/2.0 200 OK', { lines: broadcast }), 'none'],
  ['3.3.11', 'valid', 'Max-Forwards of zero', has({ 'Max-Forwards': '0' })],
  ['3.3.12', 'valid', 'a parameter of Contact', has({ Contact: 'sip:+19725552222@gw1.example;unknownparam' })],
  ['3.3.13', 'valid', 'a parameter of its URI', has({ Contact: '<sip:+19725552222@gw1.example;unknownparam>' })],
  ['3.3.14', 'valid', 'a Contact with a header', has({ Contact: `<${user}?Route=%3Csip:sip.example.com%3E>` })],
  ['3.3.15', 'valid', 'a request whose answer must not be SDP', starts(`INVITE ${user} SIP/2.0`, unreadable), 406],
  ['3.4.1', 'valid', 'an INVITE of RFC 2543', starts(`INVITE ${user} SIP/2.0`, { fields: older }), 403],
]

const answerTo = (expected: Expected, answer: number | 'none') =>
  expected === 'dropped' || (expected === 'valid' && answer === 'none')
    ? []
    : [expected === 'valid' ? answer : expected]

/**
 * The cases of RFC 4475 in messages of this project, with the outcome that its section 3 asks for. `answers` are the
 * statuses of a user agent without calls.
 */
export const torture = cases.map(([section, expected, name, text, answer = 200]) => ({
  section,
  expected,
  name,
  text,
  answers: answerTo(expected, answer),
}))
