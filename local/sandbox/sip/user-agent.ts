import type { Clock } from '../../../lib/clock.ts'
import type { CallMedia } from './call-media.ts'
import { type Call, type CallInside, createCallEmitter, startCall } from './dialogs/call.ts'
import { answerOutside } from './dialogs/peer-requests.ts'
import { createToken } from './dialogs/wire.ts'
import { type Credentials, createDigestAuthentication } from './digest.ts'
import { headerOf, tagOf } from './messages/headers.ts'
import { type SipRequest, SipSyntaxError } from './messages/message.ts'
import { parseMessage } from './messages/parse-message.ts'
import { parseUri } from './messages/uri.ts'
import { respondTo, sendResponse } from './transactions/server.ts'
import { createTransactions } from './transactions/transactions.ts'
import type { ConnectionSettings } from './transport/connections.ts'
import {
  type Destination,
  type Link,
  type Reply,
  type Transport,
  type TransportEvents,
  withoutBrackets,
} from './transport/link.ts'
import { createTransport } from './transport/transport.ts'

export interface UserAgentSettings extends ConnectionSettings {
  readonly clock: Clock
  readonly random: (bytes: number) => Buffer
  /** Hosts that are dialled beside those of the loopback interface. */
  readonly allow: readonly string[]
  /** SIP URI of a proxy that takes the first request of each call. */
  readonly outboundProxy?: string | undefined
  /** Takes a line for the log. */
  readonly log: (line: string) => void
  /** Opens the transport. @default UDP, TCP and TLS over the network */
  readonly openTransport?: (events: TransportEvents) => Transport
}

export interface CallRequest {
  readonly uri: string
  /** Caller as `user@host`. */
  readonly from: string
  /** Custom header fields. Their names begin with `X-`. */
  readonly headers: Readonly<Record<string, string>>
  readonly auth?: Credentials | undefined
  readonly media: CallMedia
  /** Hangs up when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** A SIP user agent that makes calls. */
export type UserAgent = ReturnType<typeof createUserAgent>

/** Creates a user agent. It opens sockets with its first call. */
export function createUserAgent(settings: UserAgentSettings) {
  const { clock, random, allow, outboundProxy, log } = settings
  const calls = new Map<string, CallInside>()
  /** Called when there is no call. */
  let onIdle = () => {}
  const token = () => createToken({ random })
  const proxy = outboundProxy === undefined ? undefined : parseUri(outboundProxy)
  const reachable = new Set([...allow.map((host) => host.toLowerCase()), ...(proxy ? [proxy.host] : [])])

  const callOf = (message: SipRequest) => calls.get(`${headerOf(message, 'Call-ID')} ${tagOf(headerOf(message, 'To'))}`)
  /** Tag of all answers outside of calls: the answer to a repeated request is the same (RFC 3261, 8.2.7). */
  const strayTag = token()
  const transactions = createTransactions(clock, token, {
    isOfCall: (request) => callOf(request) !== undefined,
    onStray: (request, reply) => answerOutside(request, reply, strayTag),
    onRequest: (transaction, reply) => callOf(transaction.request)?.receive(transaction, reply),
    onAck: (ack) => callOf(ack)?.acknowledge(ack),
    onCancel: (transaction) => transaction.respond(respondTo(transaction.request, 487, token())),
  })

  function onMessage(data: Buffer, reply: Reply): void {
    try {
      const parsed = parseMessage(data)
      if ('message' in parsed) {
        transactions.receive(parsed.message, reply)
        return
      }
      log(`A message from ${reply.host} is malformed: ${parsed.problem}`)
      if ('refused' in parsed)
        sendResponse(parsed.refused, respondTo(parsed.refused, parsed.status, token(), { reply }), reply)
    } catch (error) {
      if (!(error instanceof SipSyntaxError)) throw error
      log(`A message from ${reply.host} was dropped: ${error.message}`)
    }
  }

  const open = settings.openTransport ?? ((events: TransportEvents) => createTransport(settings, events))
  const transport = open({ onMessage, onLost: (link) => transactions.lose(link) })

  /** Returns true for a URI of the loopback interface or of a host that is allowed. */
  function reaches(uri: string): boolean {
    const { host } = parseUri(uri)
    return isLoopback(host) || reachable.has(host)
  }

  async function connect(uri: string, kind: Link['kind']): Promise<Link> {
    const { host } = parseUri(uri)
    if (!reaches(uri)) throw new Error(`The host ${host} is not allowed.`)
    return transport.connect(destinationOf(uri, kind))
  }

  /** Calls a URI. Events follow after the caller has had a turn to listen. @throws Error if the host is not allowed */
  function invite({ uri, from, headers, auth, media, signal }: CallRequest): Call {
    const { scheme, host } = parseUri(uri)
    if (!reaches(uri)) throw new Error(`The host ${host} is not allowed.`)
    const emitter = createCallEmitter()
    const tag = token()
    const callId = token()
    const key = `${callId} ${tag}`
    let call: Omit<CallInside, 'on'> | undefined
    let isGivenUp = false

    const giveUp = (code: number, message: string) => {
      media.close()
      emitter.emit('ended', { code, message })
    }

    async function start(): Promise<void> {
      const offer = await media.offer()
      const link = await connect(outboundProxy ?? uri, 'udp')
      if (isGivenUp) {
        link.release()
        return giveUp(487, 'Request Terminated')
      }
      const contact = contactOf(scheme, link)
      const local = { callId, from: `<${scheme}:${from}>;tag=${tag}`, contact, cseq: 0 }
      const parts = { clock, random, transactions, connect, log }
      const custom = Object.entries(headers).map(([name, value]) => ({ name, value }))
      const routes =
        outboundProxy === undefined ? [] : [`<${outboundProxy}${proxy?.parameters.has('lr') ? '' : ';lr'}>`]
      const digest = auth && createDigestAuthentication(auth, token)
      const onDone = () => {
        calls.delete(key)
        if (calls.size === 0) onIdle()
      }
      const own = { local, link, digest, uri, routes, headers: custom, media, emitter, onDone }
      call = startCall(parts, own, offer)
      calls.set(key, { ...call, on: emitter.on.bind(emitter) })
    }

    const hangup = () => {
      isGivenUp = true
      call?.hangup()
    }
    start().catch((error: Error) => {
      log(`The call to ${host} failed: ${error.message}`)
      giveUp(503, 'Service Unavailable')
    })
    signal?.addEventListener('abort', hangup, { once: true })
    return {
      on: (event, listener) => void emitter.on(event, listener as never),
      hangup,
      hold: async () => (await call?.hold()) ?? false,
      resume: async () => (await call?.resume()) ?? false,
    }
  }

  return {
    invite,
    reaches,
    /** Hangs up all calls. Resolves when their peers have answered, or after a second. */
    async hangUpAll(): Promise<void> {
      if (calls.size === 0) return
      const idle = new AbortController()
      onIdle = () => idle.abort()
      for (const call of calls.values()) call.hangup()
      await clock.sleep(GRACE, idle.signal).catch(() => {})
    },
    /** Closes the sockets. Calls that run end without a message. */
    close(): void {
      transactions.close()
      transport.close()
    },
  }
}

/** Milliseconds for which the end of calls is awaited. */
const GRACE = 1_000

const isLoopback = (host: string) =>
  host === 'localhost' || /^127(\.\d{1,3}){3}$/.test(host) || withoutBrackets(host) === '::1'

/** Returns the Contact of a link. A SIPS URI has no transport but TLS (RFC 5630). */
function contactOf(scheme: string, { kind, localHost, localPort }: Link): string {
  const parameter = kind === 'udp' || scheme === 'sips' ? '' : `;transport=${kind}`
  return `<${scheme}:showrunner@${localHost}:${localPort}${parameter}>`
}

/** Returns where a URI's requests go to. `kind` is the transport if the URI names none. */
function destinationOf(uri: string, kind: Link['kind']): Destination {
  const { scheme, host, port, parameters } = parseUri(uri)
  const named = parameters.get('transport')?.toLowerCase()
  const isKnown = named === 'udp' || named === 'tcp' || named === 'tls'
  const chosen = scheme === 'sips' ? 'tls' : isKnown ? named : kind
  return { kind: chosen, host, port: port ?? (chosen === 'tls' ? 5061 : 5060) }
}
