import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { realClock } from '../../../../../lib/clock.ts'
import { createUserAgent, type UserAgentSettings } from '../../../../../local/sandbox/sip/user-agent.ts'
import { createSelfSignedCertificate } from '../../../../support/certificates.ts'
import { freePort } from '../../../../support/rtmp/free-port.ts'
import { createFakeMedia } from '../fake-media.ts'
import { answer, pause, receive, receiveStatus, request, type Step, startSipp } from './sipp.ts'

const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

interface Called {
  readonly happened: string[]
  readonly media: ReturnType<typeof createFakeMedia>
  readonly call: ReturnType<ReturnType<typeof createUserAgent>['invite']>
  /** Resolves when an event has been emitted. */
  until(event: string): Promise<void>
}

const certificate = createSelfSignedCertificate()

function call(uri: string, settings: Partial<UserAgentSettings> = { ca: certificate.cert }): Called {
  const agent = createUserAgent({ clock: realClock, random: randomBytes, allow: [], log: () => {}, ...settings })
  open.push(agent)
  const media = createFakeMedia()
  const auth = { username: 'alice', password: 'wonder"land' }
  const made = agent.invite({ uri, from: '15551234567@example.com', headers: { 'X-Meeting': '42' }, auth, media })
  const happened: string[] = []
  const waiting = new Map<string, () => void>()
  const note = (event: string, line = event) => {
    happened.push(line)
    waiting.get(event)?.()
  }
  for (const name of ['ringing', 'earlyMedia', 'answered', 'held', 'resumed'] as const) made.on(name, () => note(name))
  made.on('ended', ({ code }) => note('ended', `ended ${code}`))
  const until = (event: string) =>
    happened.some((line) => line.startsWith(event))
      ? Promise.resolve()
      : new Promise<void>((resolve) => void waiting.set(event, resolve))
  return { happened, media, call: made, until }
}

const bye: readonly Step[] = [receive('BYE', 'inside'), answer('200 OK', { to: 'inside' })]
const answered: readonly Step[] = [
  receive('INVITE'),
  answer('100 Trying'),
  answer('180 Ringing'),
  answer('200 OK', { sdp: [], retrans: 500 }),
  '<recv request="ACK" crlf="true"/>',
]
const checkHeader = '<ereg regexp="42" search_in="hdr" header="X-Meeting:" check_it="true" assign_to="meeting"/>'

describe.each(['udp', 'tcp', 'tls'] as const)('a call to SIPp over %s', (transport) => {
  const start = (steps: readonly Step[]) => startSipp(transport, steps, certificate)

  it.each([
    ['the user agent', bye],
    ['SIPp', [request('BYE', 1), receiveStatus(200)]],
  ])('is answered, and ended by %s', async (_, ending) => {
    const sipp = await start([...answered, ...ending])
    const { happened, call: made, until } = call(sipp.uri)
    await until('answered')
    if (ending === bye) made.hangup()
    await sipp.done
    await until('ended')
    expect(happened).toEqual(['ringing', 'answered', 'ended 700'])
  })

  it.each([
    [486, 'Busy Here', []],
    [603, 'Decline', ['ringing']],
    [302, 'Moved Temporarily', []],
    [480, 'Temporarily Unavailable', ['ringing']],
    [404, 'Not Found', []],
    [408, 'Request Timeout', []],
    [401, 'Unauthorized', []],
  ])('ends with %i', async (status, reason, before) => {
    const contact = ['Contact: <sip:other@127.0.0.1:9>']
    const steps = [
      receive('INVITE'),
      ...(before.length > 0 ? [answer('180 Ringing')] : []),
      answer(`${status} ${reason}`, { lines: contact, retrans: 500 }),
      '<recv request="ACK"/>',
    ]
    const sipp = await start(steps)
    const { happened, until } = call(sipp.uri)
    await sipp.done
    await until('ended')
    expect(happened).toEqual([...before, `ended ${status}`])
  })

  it('is cancelled while it rings', async () => {
    const sipp = await start([
      receive('INVITE'),
      answer('180 Ringing'),
      receive('CANCEL', 'cancel'),
      answer('200 OK', { to: 'cancel' }),
      answer('487 Request Terminated', { retrans: 500 }),
      '<recv request="ACK"/>',
    ])
    const { happened, call: made, until } = call(sipp.uri)
    await until('ringing')
    made.hangup()
    await sipp.done
    await until('ended')
    expect(happened).toEqual(['ringing', 'ended 487'])
  })

  it.each([
    ['401 Unauthorized', 'WWW-Authenticate'],
    ['407 Proxy Authentication Required', 'Proxy-Authenticate'],
  ])('authenticates after %s, and again when the nonce is stale', async (status, field) => {
    const challenge = (nonce: string, stale = '') => ({
      lines: [`${field}: Digest realm="pbx", nonce="${nonce}", algorithm=MD5, qop="auth"${stale}`],
    })
    // SIPp verifies the answer to a 401 only.
    const verified = status.startsWith('401')
      ? '<verifyauth assign_to="isRight" username="alice" password="wonder&quot;land"/>'
      : '<ereg regexp="nonce=.second.*nc=00000001" search_in="hdr" header="Proxy-Authorization:" assign_to="isRight"/>'
    const sipp = await start([
      receive('INVITE', 'last', checkHeader),
      answer(status, challenge('first')),
      '<recv request="ACK"/>',
      receive('INVITE'),
      answer(status, challenge('second', ', stale=true')),
      '<recv request="ACK"/>',
      receive('INVITE', 'last', checkHeader + verified),
      '<nop test="isRight" next="right"/>',
      answer('403 Forbidden'),
      '<recv request="ACK" next="end"/>',
      '<label id="right"/>',
      answer('200 OK', { sdp: [], retrans: 500 }),
      '<recv request="ACK"/>',
      ...bye,
      '<label id="end"/>',
    ])
    const { happened, call: made, until } = call(sipp.uri)
    await Promise.race([until('answered'), until('ended')])
    made.hangup()
    await sipp.done
    expect(happened).toEqual(['answered', 'ended 700'])
  })

  it('plays early media, and acknowledges it with PRACK', async () => {
    const lines = ['Require: 100rel', 'RSeq: 17']
    const sipp = await start([
      receive('INVITE'),
      answer('183 Session Progress', { lines, sdp: [] }),
      receive('PRACK', 'inside'),
      answer('200 OK', { to: 'inside' }),
      answer('200 OK', { sdp: [], retrans: 500 }),
      '<recv request="ACK"/>',
      ...bye,
    ])
    const { happened, call: made, until, media } = call(sipp.uri)
    await until('answered')
    made.hangup()
    await sipp.done
    expect(happened).toEqual(['ringing', 'earlyMedia', 'answered', 'ended 700'])
    expect(media.asked).toEqual(['accept', 'close'])
  })

  it('is held and resumed by either side', async () => {
    const sipp = await start([
      ...answered,
      request('INVITE', 1, ['a=sendonly']),
      receiveStatus(200),
      request('ACK', 1),
      request('INVITE', 2, ['a=sendrecv']),
      receiveStatus(200),
      request('ACK', 2),
      receive('INVITE', 'inside'),
      answer('200 OK', { to: 'inside', sdp: ['a=recvonly'], retrans: 500 }),
      '<recv request="ACK"/>',
      ...bye,
    ])
    const { happened, call: made, until } = call(sipp.uri)
    await until('resumed')
    expect(await made.hold()).toBe(true)
    made.hangup()
    await sipp.done
    expect(happened).toEqual(['ringing', 'answered', 'held', 'resumed', 'held', 'ended 700'])
  })

  it('refuses an UPDATE that meets its own re-INVITE', async () => {
    const sipp = await start([
      ...answered,
      receive('INVITE', 'inside'),
      request('UPDATE', 1, []),
      receiveStatus(491),
      answer('200 OK', { to: 'inside', sdp: ['a=recvonly'], retrans: 500 }),
      '<recv request="ACK"/>',
      request('UPDATE', 2, []),
      receiveStatus(200),
      ...bye,
    ])
    const { call: made, until, media } = call(sipp.uri)
    await until('answered')
    expect(await made.hold()).toBe(true)
    await expect.poll(() => media.asked).toContain('answer')
    made.hangup()
    await sipp.done
  })

  it('answers OPTIONS inside the call, and refuses what it does not take', async () => {
    const sipp = await start([
      ...answered,
      request('OPTIONS', 1),
      receiveStatus(200),
      request('INFO', 2),
      receiveStatus(405),
      request('OPTIONS', 3, undefined, 'branch', ['Require: unknown']),
      receiveStatus(420),
      request('INVITE', 4, ['a=sendonly']),
      receiveStatus(200),
      request('ACK', 4),
      ...bye,
    ])
    const { happened, call: made, until } = call(sipp.uri)
    await until('held')
    made.hangup()
    await sipp.done
    expect(happened).toEqual(['ringing', 'answered', 'held', 'ended 700'])
  })

  it('ends when both sides hang up at once', async () => {
    const sipp = await start([
      ...answered,
      receive('BYE', 'inside'),
      request('BYE', 1),
      receiveStatus(200),
      answer('200 OK', { to: 'inside' }),
    ])
    const { happened, call: made, until } = call(sipp.uri)
    await until('answered')
    made.hangup()
    await sipp.done
    expect(happened).toEqual(['ringing', 'answered', 'ended 700'])
  })

  it('ignores malformed answers', async () => {
    const broken = [
      ['CSeq: 99999999999 INVITE', 'Via: ;;;'],
      ['Contact: "open <sip:x@127.0.0.1'],
      ...(transport === 'udp' ? [['Content-Length: -5']] : []), // it would end the connection
    ]
    const sipp = await start([
      receive('INVITE'),
      ...broken.map((lines) => answer('200 OK', { lines: [...lines, 'Contact: <sip:x@127.0.0.1>'] })),
      pause(100),
      answer('486 Busy Here', { retrans: 500 }),
      '<recv request="ACK"/>',
    ])
    const { happened, until } = call(sipp.uri)
    await sipp.done
    await until('ended')
    expect(happened).toEqual(['ended 486'])
  })
})

describe('a call to SIPp', () => {
  it('is made over TLS to a certificate of a given authority only', async () => {
    const sipp = await startSipp('tls', [...answered, ...bye], certificate)
    const refused = call(sipp.uri, {})
    await refused.until('ended')
    expect(refused.happened).toEqual(['ended 503'])
    const taken = call(sipp.uri)
    await taken.until('answered')
    taken.call.hangup()
    await sipp.done
  })

  it('survives the loss of each third packet', async () => {
    const relayPort = await freePort()
    const lines = [`Contact: <sip:peer@127.0.0.1:${relayPort}>`]
    const steps = [
      receive('INVITE'),
      answer('180 Ringing'),
      answer('200 OK', { sdp: [], lines, retrans: 500 }),
      '<recv request="ACK"/>',
      ...bye,
    ]
    const sipp = await startSipp('udp', steps)
    const relay = await startLossyRelay(relayPort, sipp.port)
    open.push(relay)
    const { happened, call: made, until } = call(`sip:bob@127.0.0.1:${relayPort}`)
    await until('answered')
    made.hangup()
    await sipp.done
    await until('ended')
    expect(happened.at(-1)).toBe('ended 700')
    expect(relay.lost()).toBeGreaterThan(0)
  })
})

/** Relays UDP between a caller and a port, and loses each third packet. */
async function startLossyRelay(port: number, target: number): Promise<{ lost(): number; close(): void }> {
  const socket = createSocket('udp4')
  let caller: number | undefined
  let count = 0
  socket.on('message', (data, { port: from }) => {
    if (from !== target) caller = from
    count++
    if (count % 3 !== 0) socket.send(data, from === target ? caller : target, '127.0.0.1')
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return { lost: () => Math.floor(count / 3), close: () => void socket.close() }
}
