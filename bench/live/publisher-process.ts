import ndc from 'node-datachannel'
import { times } from '../figures.ts'
import { givenByParent, serveParent } from '../subprocess.ts'
import type { Door } from './door.ts'
import { RATE, readPictures } from './pictures.ts'
import { publish } from './signalling.ts'
import { isRtcp, PAYLOAD_TYPES, stampedPacket, TWCC_EXTMAP } from './stamped-packets.ts'

export interface PublisherOptions {
  readonly door: Door
  readonly publishers: number
  /** Path of the encoded pictures. */
  readonly pictures: string
}

/** Numbers since the last question. */
export interface PublisherAnswer {
  readonly pictures: number
  readonly packets: number
  readonly seconds: number
}

/** Milliseconds between two turns, and packets of a publisher in one: browsers spread large pictures as well. */
const TURN = 5
const MAX_PER_TURN = 12
const AUDIO_INTERVAL = 20
const VIDEO_INTERVAL = 1_000 / RATE
/** Type and format of the RTCP message Picture Loss Indication (RFC 4585, 6.3.1). */
const [FEEDBACK, PLI] = [206, 1]
/** A packet of Opus with 32 kbit/s. It is forwarded and never decoded. */
const SOUND = Buffer.alloc(80, 0xfc)

const { door, publishers, pictures: path } = givenByParent<PublisherOptions>()
const pictures = await readPictures(path)
const sent = { pictures: 0, packets: 0 }
let since = performance.now()
const peers = await times(publishers, createPublisher)

setInterval(() => {
  const now = performance.now()
  for (const peer of peers) peer.turn(now)
}, TURN)

serveParent({}, () => {
  const now = performance.now()
  const answer: PublisherAnswer = { ...sent, seconds: (now - since) / 1000 }
  Object.assign(sent, { pictures: 0, packets: 0 })
  since = now
  return answer
})

async function createPublisher(index: number) {
  const peer = new ndc.PeerConnection(`publisher ${index}`, addressOf(door))
  const ssrc = { video: 1_000 + index, audio: 2_000 + index }
  const video = new ndc.Video('0', 'SendOnly')
  video.addVP8Codec(PAYLOAD_TYPES.video)
  const audio = new ndc.Audio('1', 'SendOnly')
  audio.addOpusCodec(PAYLOAD_TYPES.audio)
  for (const [kind, media] of [['video', video] as const, ['audio', audio] as const]) {
    media.addSSRC(ssrc[kind], `publisher-${index}`, `stream-${index}`, `${kind}-${index}`)
    media.parseSdpLine(`a=${TWCC_EXTMAP}`)
    media.parseSdpLine(`a=rtcp-fb:${PAYLOAD_TYPES[kind]} transport-cc`)
  }
  const tracks = { video: peer.addTrack(video), audio: peer.addTrack(audio) }
  let next = 0
  let waiting: Uint8Array[] = []
  let pictureDue = performance.now() + (index * VIDEO_INTERVAL) / publishers
  let soundDue = pictureDue
  let transportSequence = 0
  const sequence = { video: 0, audio: 0 }
  const timestamp = { video: 0, audio: 0 }
  tracks.video.onMessage((message) => {
    if (isRtcp(message) && message[1] === FEEDBACK && ((message[0] ?? 0) & 0x1f) === PLI) next = 0
  })

  function send(kind: 'video' | 'audio', payload: Uint8Array, marker: boolean): void {
    const packet = stampedPacket({
      payloadType: PAYLOAD_TYPES[kind],
      marker,
      payload,
      ...{ ssrc: ssrc[kind], sequence: sequence[kind], timestamp: timestamp[kind], transportSequence },
    })
    sequence[kind] = (sequence[kind] + 1) & 0xffff
    transportSequence = (transportSequence + 1) & 0xffff
    tracks[kind].sendMessageBinary(packet)
    sent.packets++
  }
  await publish(door, peer)
  return {
    /** Kept, because a connection that is collected as garbage is closed. */
    peer,
    turn(now: number) {
      if (!tracks.video.isOpen()) {
        pictureDue = Math.max(pictureDue, now)
        soundDue = pictureDue
        return
      }
      for (; soundDue <= now; soundDue += AUDIO_INTERVAL) {
        send('audio', SOUND, false)
        timestamp.audio += 960
      }
      if (waiting.length === 0 && pictureDue <= now) {
        waiting = [...(pictures[next] ?? [])]
        next = (next + 1) % pictures.length
        timestamp.video = Math.round(pictureDue * 90) >>> 0
        pictureDue += VIDEO_INTERVAL
        sent.pictures++
      }
      for (const payload of waiting.splice(0, MAX_PER_TURN)) send('video', payload, waiting.length === 0)
    },
  }
}

function addressOf({ server }: Door) {
  return { iceServers: [], ...(server === 'sandbox' && { bindAddress: '127.0.0.1' }) }
}
