import type { TrackCounters } from '../../../insights/measurements.ts'
import { BLOCK_MS } from '../block.ts'
import type { CallLeg } from '../call-audio.ts'
import type { Codec } from '../codecs/codec.ts'
import { createDigitSender, type DigitStep, toneOf } from '../dtmf/digit-sender.ts'
import { readTelephoneEvent, writeTelephoneEvent } from '../dtmf/telephone-event.ts'
import { isSamePeer, type MediaSockets, type Peer } from '../media-sockets.ts'
import type { Agreement } from '../sdp/negotiation.ts'
import { createJitterBuffer, type JitterBuffer } from './jitter-buffer.ts'
import { createProtection } from './protection.ts'
import { createReception } from './reception.ts'
import { middleOf, readRtcp, writeRtcp } from './rtcp.ts'
import { type RtpPacket, readRtp, writeRtp } from './rtp-packet.ts'

/** The packets of one call in both directions. */
export interface RtpStream extends CallLeg {
  /** Applies an offer and its answer. The codec is that of the agreement. */
  agree(agreement: Agreement, codec: Codec): void
  /** Sends digits; each `p` among them is a pause. */
  play(digits: string): void
  /** Counts of what the phone has sent. */
  counters(): TrackCounters
  /** Milliseconds of the jitter buffer. */
  readonly depth: number
  /** Sends a goodbye. */
  end(): void
}

export interface RtpStreamParts {
  readonly sockets: MediaSockets
  readonly random: (bytes: number) => Buffer
  /** Called with each key that the phone presses. */
  onDigit(digit: string): void
  /** Called when media of the phone begins to arrive, and when none has arrived for five seconds. */
  onReceiving(isReceiving: boolean): void
}

interface Agreed {
  readonly agreement: Agreement
  readonly codec: Codec
  readonly jitterBuffer: JitterBuffer
}

/** Ticks between two reports: five seconds on average (RFC 3550, 6.2). The first follows after one second. */
const REPORT_TICKS = 5_000 / BLOCK_MS
const FIRST_REPORT_TICKS = 1_000 / BLOCK_MS
/** Milliseconds without a packet after which media has stopped, and after which another source is accepted. */
const MAX_SILENCE = 5_000
const MAX_PAUSE = 1_000

export function createRtpStream({ sockets, random, onDigit, onReceiving }: RtpStreamParts): RtpStream {
  const ssrc = random(4).readUInt32BE()
  const name = random(12).toString('base64url')
  const protection = createProtection(sockets)
  const digits = createDigitSender()
  const reception = createReception(() => agreed?.codec.clockRate ?? 8_000)
  let agreed: Agreed | undefined
  let sequence = random(2).readUInt16BE() >> 1 // far from 2 ** 16, so that a first loss is not mistaken (RFC 3711, 3.3.1)
  let timestamp = random(4).readUInt32BE()
  let isResumed = true
  let sent = { packets: 0, bytes: 0 }
  let eventTimestamp: number | undefined
  let receivedEvent: number | undefined
  let destination: Peer = { address: '127.0.0.1', port: 9 }
  let source: Peer | undefined
  let receivedAt = 0
  let isReceiving = false
  let latencyMs: number | undefined
  let ticksToReport = FIRST_REPORT_TICKS

  const now = Date.now
  sockets.onRtp((data, from) => {
    if (!agreed || (source && !isSamePeer(source, from) && now() - receivedAt < MAX_PAUSE)) return
    const opened = protection.received.rtp(data)
    const packet = opened && readRtp(opened)
    if (packet) receive(packet, from, agreed)
  })
  sockets.onRtcp((data) => {
    const opened = agreed && protection.received.rtcp(data)
    if (!opened) return
    for (const report of readRtcp(opened)) {
      reception.reported(report, now())
      for (const { ssrc: subject, lastReport, delay } of report.receptions)
        if (subject === ssrc && lastReport !== 0)
          latencyMs = (((middleOf(now()) - lastReport - delay) >>> 0) * 1000) / 65_536 / 2
    }
  })

  function noteReceiving(isReceivingNow: boolean): void {
    if (isReceivingNow === isReceiving) return
    isReceiving = isReceivingNow
    onReceiving(isReceiving)
  }
  function receive(packet: RtpPacket, from: Peer, { agreement, jitterBuffer }: Agreed): void {
    const isEvent = packet.payloadType === agreement.digits?.payloadType
    if (!isEvent && packet.payloadType !== agreement.format.payloadType) return
    ;[source, destination, receivedAt] = [from, from, now()]
    reception.received(packet, receivedAt)
    noteReceiving(true)
    if (isEvent) {
      const event = readTelephoneEvent(packet.payload)
      if (event && packet.timestamp !== receivedEvent) onDigit(event.digit)
      receivedEvent = packet.timestamp
    }
    if (agreement.receives) jitterBuffer.push(isEvent ? { ...packet, payload: NOTHING } : packet)
  }

  function sendPacket(payload: Uint8Array, payloadType: number, marker: boolean, time: number): void {
    if (!agreed) return
    const packet = writeRtp({ payloadType, marker, sequence, timestamp: time >>> 0, ssrc, payload })
    sequence = (sequence + 1) & 0xffff
    sent = { packets: sent.packets + 1, bytes: sent.bytes + payload.length }
    const sealed = protection.sent.rtp(packet)
    if (sealed) sockets.sendRtp(sealed, destination)
  }
  /** Sends a digit's part: in its own packets, or as its tones. */
  function sendDigit({ agreement, codec }: Agreed, step: DigitStep): void {
    const { digits: events, format } = agreement
    if (!events) {
      sendPacket(codec.encode(toneOf(step)), format.payloadType, false, timestamp)
      return
    }
    if (step.isStart) eventTimestamp = timestamp
    const { digit, isEnd, isStart, ms } = step
    const payload = writeTelephoneEvent({ digit, isEnd, duration: (ms * events.rate) / 1000 })
    for (let copy = 0; copy < (isEnd ? 3 : 1); copy++)
      sendPacket(payload, events.payloadType, isStart, eventTimestamp ?? timestamp)
  }
  function report(isOver = false): void {
    if (!agreed) return
    const received = reception.report(now())
    const sender = sent.packets > 0 ? { time: now(), timestamp: timestamp >>> 0, ...sent } : undefined
    const packet = writeRtcp({ ssrc, sender, receptions: received ? [received] : [] }, name, isOver)
    const sealed = protection.sent.rtcp(packet)
    const { port, rtcpPort, isMuxed } = agreed.agreement
    const to = isMuxed ? destination.port : destination.port === port ? rtcpPort : destination.port + 1
    if (sealed) sockets.sendRtcp(sealed, { address: destination.address, port: to }, isMuxed)
  }

  return {
    get depth() {
      return agreed?.jitterBuffer.depth ?? 0
    },
    agree(agreement, codec) {
      const before = agreed
      agreed = {
        agreement,
        codec,
        jitterBuffer: before?.codec === codec ? before.jitterBuffer : createJitterBuffer(codec),
      }
      protection.agree(agreement)
      const { address, port } = agreement
      if (before && isSamePeer(before.agreement, agreement)) return
      destination = { address, port }
      source = undefined
    },
    play: digits.add,
    take() {
      if (now() - receivedAt > MAX_SILENCE) noteReceiving(false)
      return agreed?.agreement.receives ? agreed.jitterBuffer.take() : undefined
    },
    skip: (blocks) => agreed?.jitterBuffer.skip(blocks),
    send(block) {
      if (!agreed) return
      const { agreement, codec } = agreed
      if (agreement.sends && protection.canSend()) {
        const step = digits.next()
        if (step) sendDigit(agreed, step)
        else sendPacket(codec.encode(block), agreement.format.payloadType, isResumed, timestamp)
        isResumed = step !== undefined
      } else isResumed = true
      timestamp = (timestamp + (codec.clockRate * BLOCK_MS) / 1000) >>> 0
      if (--ticksToReport > 0) return
      ticksToReport = Math.round(REPORT_TICKS * (0.5 + random(1).readUInt8() / 255))
      report()
    },
    counters: () => ({ ...reception.counts(), latencyMs }),
    end() {
      report(true)
      protection.close()
    },
  }
}

const NOTHING = new Uint8Array(0)
