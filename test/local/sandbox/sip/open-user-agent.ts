import { createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import { fieldsOf, headerOf } from '../../../../local/sandbox/sip/messages/headers.ts'
import {
  isRequest,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../../../../local/sandbox/sip/messages/message.ts'
import { parseMessage } from '../../../../local/sandbox/sip/messages/parse-message.ts'
import type { Link, TransportEvents, TransportKind } from '../../../../local/sandbox/sip/transport/link.ts'
import { createUserAgent, type UserAgentSettings } from '../../../../local/sandbox/sip/user-agent.ts'
import { createFakeMedia } from './fake-media.ts'

/** Bytes that repeat from run to run and differ within one. */
function createCountedBytes(): (bytes: number) => Buffer {
  let count = 0
  return (bytes) =>
    Buffer.from(
      (++count)
        .toString(16)
        .padStart(2 * bytes, '0')
        .slice(-2 * bytes),
      'hex',
    )
}

/** Opens a user agent whose messages a test reads and answers. */
export function openUserAgent({
  kind = 'udp',
  ...settings
}: { kind?: TransportKind } & Partial<UserAgentSettings> = {}) {
  const clock: SteppedClock = createSteppedClock(0)
  const sent: SipMessage[] = []
  const logged: string[] = []
  const reply = { kind, host: '127.0.0.1', port: 5060, send: (text: string) => void sent.push(parsed(text)) }
  let events: TransportEvents | undefined
  const link: Link = { kind, localHost: '127.0.0.1', localPort: 6000, send: reply.send, release() {} }
  const agent = createUserAgent({
    clock,
    random: createCountedBytes(),
    allow: [],
    log: (line) => logged.push(line),
    openTransport(on) {
      events = on
      return { connect: async () => link, close() {} }
    },
    ...settings,
  })
  /** Delivers a message to the user agent, and waits until it has been worked on. */
  const deliver = async (text: string | Buffer) => {
    events?.onMessage(Buffer.from(text), reply)
    await clock.advance(0)
  }
  const lastRequest = (method: string) => {
    const found = sent.findLast((message) => isRequest(message) && message.method === method)
    if (!found) throw new Error(`No ${method} was sent.`)
    return found as SipRequest
  }
  /** Starts a call, and sends the INVITE. */
  const call = async (extra: Partial<Parameters<typeof agent.invite>[0]> = {}) => {
    const media = createFakeMedia()
    const happened: string[] = []
    const made = agent.invite({ uri: 'sip:bob@127.0.0.1', from: 'alice@example.com', headers: {}, media, ...extra })
    for (const name of ['ringing', 'earlyMedia', 'answered', 'held', 'resumed'] as const)
      made.on(name, () => void happened.push(name))
    made.on('ended', ({ code, message }) => void happened.push(`ended ${code} ${message}`))
    await clock.advance(0)
    const hangup = async () => {
      made.hangup()
      await clock.advance(0)
    }
    return { ...made, hangup, media, happened }
  }
  return { agent, clock, sent, logged, deliver, lastRequest, call, lose: () => events?.onLost(link) }
}

function parsed(text: string): SipMessage {
  const result = parseMessage(Buffer.from(text))
  if ('message' in result) return result.message
  // A refusal repeats the malformed fields of the request.
  const [, status] = /^SIP\/2\.0 ([45]\d\d)/.exec(text) ?? []
  if (status) return { status: Number(status), reason: '', headers: [], body: '' }
  throw new Error(`The user agent sent a malformed message: ${result.problem}\n${text}`)
}

/** Writes the peer's response to a request. */
export function answerTo(request: SipRequest, status: number, headers: readonly string[] = [], body = ''): string {
  const to = headerOf(request, 'To') ?? ''
  return [
    `SIP/2.0 ${status} Answer`,
    ...fieldsOf(request, 'Via').map((via) => `Via: ${via}`),
    `From: ${headerOf(request, 'From')}`,
    `To: ${to.includes('tag=') || status === 100 ? to : `${to};tag=peer`}`,
    `Call-ID: ${headerOf(request, 'Call-ID')}`,
    `CSeq: ${headerOf(request, 'CSeq')}`,
    ...(headers.some((header) => /^contact/i.test(header)) ? [] : ['Contact: <sip:bob@127.0.0.1:5060>']),
    ...headers,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** Writes a request of the peer inside the call of an INVITE. */
export function requestOf(
  invite: SipRequest,
  method: string,
  cseq: number,
  headers: readonly string[] = [],
  body = '',
) {
  const [, contact] = /<(.*)>/.exec(headerOf(invite, 'Contact') ?? '') ?? []
  return [
    `${method} ${contact} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKpeer-${method === 'ACK' ? 'ack' : method}-${cseq}`,
    'Max-Forwards: 70',
    `From: ${headerOf(invite, 'To')};tag=peer`,
    `To: ${headerOf(invite, 'From')}`,
    `Call-ID: ${headerOf(invite, 'Call-ID')}`,
    `CSeq: ${cseq} ${method}`,
    'Contact: <sip:bob@127.0.0.1:5060>',
    ...(body ? ['Content-Type: application/sdp'] : []),
    ...headers,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** Returns one line for each message: a method, or a status and its method. */
export const outline = (messages: readonly SipMessage[]) =>
  messages.map((message) =>
    isRequest(message)
      ? message.method
      : `${(message as SipResponse).status} ${headerOf(message, 'CSeq')?.replace(/^\d+ /, '')}`,
  )
