import { setTimeout as sleep } from 'node:timers/promises'
import ndc from 'node-datachannel'
import { quantile } from '../figures.ts'
import { givenByParent, serveParent } from '../subprocess.ts'
import type { Door } from './door.ts'
import { untilDecoded } from './first-picture.ts'
import { subscribe } from './signalling.ts'
import { ageOf, isRtcp, PAYLOAD_TYPES, type ReadPacket, readPacket } from './stamped-packets.ts'

export interface SubscriberOptions {
  readonly door: Door
  readonly ffmpegPath: string
}

export type SubscriberQuestion =
  /** Subscribes to streams, each by a separate connection. */
  | { readonly subscribe: readonly string[] }
  /** Returns the figures since the last question. */
  | { readonly report: true }
  /** Subscribes to a stream until its first picture is decoded, and leaves. */
  | { readonly join: string }

export interface SubscriberReport {
  /** Milliseconds from a publisher to a subscriber: the share that the quantile names does not exceed. */
  readonly latency: { readonly p50: number; readonly p95: number }
  /** Packets that were received, and that are missing in their sequence. */
  readonly packets: number
  readonly lost: number
}

/** Milliseconds after which a join has failed, on any machine. */
const MAX_JOIN = 60_000

const { door, ffmpegPath } = givenByParent<SubscriberOptions>()
const figures = { ages: [] as number[], packets: 0, lost: 0 }
/** Kept, because a connection or a track that is collected as garbage receives nothing. */
const kept = new Set<unknown>()

serveParent({}, async (question: SubscriberQuestion) => {
  if ('subscribe' in question) {
    for (const stream of question.subscribe) await open(stream, counting())
    return {}
  }
  if ('join' in question) return { seconds: await join(question.join) }
  const { ages, packets, lost } = figures
  const report: SubscriberReport = { latency: { p50: quantile(ages, 0.5), p95: quantile(ages, 0.95) }, packets, lost }
  Object.assign(figures, { ages: [], packets: 0, lost: 0 })
  return report
})

/** Counts the packets of one subscriber. */
function counting(): (packet: ReadPacket, whole: Buffer) => void {
  const last = new Map<number, number>()
  return ({ payloadType, marker, sequence }, whole) => {
    const before = last.get(payloadType)
    const missing = before === undefined ? 0 : (sequence - before - 1) & 0xffff
    if (missing < 0x8000) figures.lost += missing
    last.set(payloadType, sequence)
    figures.packets++
    const age = marker || payloadType === PAYLOAD_TYPES.audio ? ageOf(whole) : undefined
    if (age !== undefined) figures.ages.push(age)
  }
}

async function join(stream: string): Promise<number> {
  const since = performance.now()
  const decoding = untilDecoded(ffmpegPath)
  let packets = 0
  const leave = await open(stream, (packet) => {
    packets++
    decoding.push(packet)
  })
  try {
    const late = sleep(MAX_JOIN, undefined, { ref: false }).then(() => {
      throw new Error(`A subscriber decoded nothing of ${packets} packets in ${MAX_JOIN / 1000} s.`)
    })
    await Promise.race([decoding.decoded, late])
    return (performance.now() - since) / 1000
  } finally {
    leave()
    await decoding.close()
  }
}

/** Subscribes to a stream, until the returned function is called. */
async function open(stream: string, onPacket: (packet: ReadPacket, whole: Buffer) => void): Promise<() => void> {
  const bindAddress = door.server === 'sandbox' ? { bindAddress: '127.0.0.1' } : {}
  const peer = new ndc.PeerConnection('subscriber', { iceServers: [], ...bindAddress })
  const tracks: ndc.Track[] = []
  const one = { peer, tracks }
  kept.add(one)
  const listen = (track: ndc.Track) => {
    tracks.push(track)
    track.setMediaHandler(new ndc.RtcpReceivingSession())
    track.onMessage((message) => {
      if (!isRtcp(message)) onPacket(readPacket(message), message)
    })
  }
  peer.onTrack(listen)
  await subscribe(door, peer, stream, () => {
    const video = new ndc.Video('0', 'RecvOnly')
    video.addVP8Codec(PAYLOAD_TYPES.video)
    const audio = new ndc.Audio('1', 'RecvOnly')
    audio.addOpusCodec(PAYLOAD_TYPES.audio)
    for (const media of [video, audio]) listen(peer.addTrack(media))
  })
  return () => {
    for (const track of tracks) track.close()
    peer.close()
    kept.delete(one)
  }
}
