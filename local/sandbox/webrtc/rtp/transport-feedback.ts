import type { RTCPeerConnection, RTCRtpReceiver, RtcpPacket } from 'werift'
import type { Clock, Timer } from '../../../../lib/clock.ts'

/** Milliseconds between two messages. Browsers expect one in 50 to 250 ms. */
const INTERVAL = 100

/** Collects the sequence numbers that a receiver of the library reads. */
type Collector = NonNullable<RTCRtpReceiver['receiverTWCC']>

/** Units of the format in microseconds: of the reference time, and of the time between two packets. */
const REFERENCE_UNIT = 64_000
const DELTA_UNIT = 250
const [NOT_RECEIVED, SMALL, LARGE] = [0, 1, 2]
const MAX_RUN = 0x1fff
/** Packets in one message at most: those of a second at 20 Mbit/s. */
const MAX_PACKETS = 2_000

/** Collects the arrivals of a peer's packets, of audio and video together, which share one sequence. */
export interface TransportFeedback {
  /**
   * Records a packet.
   * @param sequence transport-wide sequence number; undefined for a packet that has none
   * @param time in microseconds, from any origin
   */
  arrived(sequence: number | undefined, time: number): void
  /** Returns the message about everything since the last one; undefined without arrivals. */
  next(senderSsrc: number, mediaSsrc: number): Buffer | undefined
}

/** Creates the collector of transport-wide congestion control (draft-holmer-rmcat-transport-wide-cc-extensions-01). */
export function createTransportFeedback(): TransportFeedback {
  let arrivals = new Map<number, number>()
  let last: number | undefined
  let count = 0
  /** Continues beyond 65535, from the last number. */
  const unwrap = (sequence: number) => (last === undefined ? sequence : last + (((sequence - last) << 16) >> 16))

  return {
    arrived(sequence, time) {
      if (sequence === undefined) return
      const number = unwrap(sequence)
      last = Math.max(last ?? number, number)
      if (!arrivals.has(number)) arrivals.set(number, time)
    },
    next(senderSsrc, mediaSsrc) {
      if (arrivals.size === 0 || last === undefined) return undefined
      const first = Math.max(Math.min(...arrivals.keys()), last - MAX_PACKETS + 1)
      const times = Array.from({ length: last - first + 1 }, (_, index) => arrivals.get(first + index))
      arrivals = new Map()
      return messageOf({ senderSsrc, mediaSsrc, first, count: count++, times })
    },
  }
}

/** Sends a peer the feedback about its packets. */
export interface FeedbackSender {
  /** Collects the packets of every receiver that negotiated it, instead of the library, whose reports are of one each. */
  collect(): void
  /** Starts to send: the connection is established. */
  start(): void
  stop(): void
}

/** Creates the sender of a peer's feedback. */
export function createFeedbackSender(clock: Clock, connection: RTCPeerConnection): FeedbackSender {
  const feedback = createTransportFeedback()
  const collector: Pick<Collector, 'handleTWCC' | 'twccRunning'> = {
    twccRunning: false,
    handleTWCC: (sequence: number | undefined) => feedback.arrived(sequence, performance.now() * 1000),
  }
  let timer: Timer | undefined
  const send = () => {
    timer = clock.at(clock.now() + INTERVAL, send)
    const receiver = connection.getReceivers().find(({ tracks }) => tracks[0]?.ssrc !== undefined)
    const message = receiver && feedback.next(receiver.rtcpSsrc, receiver.tracks[0]?.ssrc ?? 0)
    if (message) receiver.dtlsTransport.sendRtcp([written(message)]).catch(() => {}) // the peer is closing
  }
  return {
    collect() {
      for (const receiver of connection.getReceivers())
        if (receiver.twccEnabled) receiver.receiverTWCC = collector as Collector
    },
    start: send,
    stop: () => timer?.cancel(),
  }
}

/** Returns a message in the form that the library sends. */
const written = (message: Buffer) => ({ serialize: () => message }) as RtcpPacket

interface Message {
  readonly senderSsrc: number
  readonly mediaSsrc: number
  /** Sequence number of the first packet. */
  readonly first: number
  /** Number of the message. */
  readonly count: number
  /** Arrival of each packet from the first on; undefined for one that has not arrived. */
  readonly times: readonly (number | undefined)[]
}

function messageOf({ senderSsrc, mediaSsrc, first, count, times }: Message): Buffer {
  const reference = Math.floor((times.find((time) => time !== undefined) ?? 0) / REFERENCE_UNIT)
  const statuses: number[] = []
  const deltas: number[] = []
  let before = (reference * REFERENCE_UNIT) / DELTA_UNIT
  for (const time of times) {
    if (time === undefined) {
      statuses.push(NOT_RECEIVED)
      continue
    }
    const now = Math.round(time / DELTA_UNIT)
    const delta = Math.max(-0x8000, Math.min(0x7fff, now - before))
    before += delta
    const isSmall = delta >= 0 && delta <= 0xff
    statuses.push(isSmall ? SMALL : LARGE)
    if (isSmall) deltas.push(delta)
    else deltas.push((delta >> 8) & 0xff, delta & 0xff)
  }
  const chunks = runsOf(statuses)
  const length = 20 + 2 * chunks.length + deltas.length
  const message = Buffer.alloc(Math.ceil(length / 4) * 4)
  const padding = message.length - length
  message[0] = 0x80 | (padding > 0 ? 0x20 : 0) | 15 // version 2, format 15
  message[1] = 205
  message.writeUInt16BE(message.length / 4 - 1, 2)
  message.writeUInt32BE(senderSsrc, 4)
  message.writeUInt32BE(mediaSsrc, 8)
  message.writeUInt16BE(first & 0xffff, 12)
  message.writeUInt16BE(times.length, 14)
  message.writeUIntBE(reference & 0xffffff, 16, 3)
  message[19] = count & 0xff
  for (const [index, chunk] of chunks.entries()) message.writeUInt16BE(chunk, 20 + 2 * index)
  message.set(deltas, 20 + 2 * chunks.length)
  if (padding > 0) message[message.length - 1] = padding
  return message
}

/** Returns a chunk for each run of equal statuses. */
function runsOf(statuses: readonly number[]): number[] {
  const chunks: number[] = []
  for (let at = 0; at < statuses.length; ) {
    const status = statuses[at] as number
    let end = at + 1
    while (end < statuses.length && statuses[end] === status && end - at < MAX_RUN) end++
    chunks.push((status << 13) | (end - at))
    at = end
  }
  return chunks
}
