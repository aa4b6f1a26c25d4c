import { onTestFinished } from 'vitest'
import { MediaStreamTrack, RTCPeerConnection, RtpHeader, RtpPacket } from 'werift'

/** An SDP exchange: sends an offer, and resolves with the answer. */
export type Exchange = (sdp: string) => Promise<{ readonly id: string; readonly sdp: string }>

/** Milliseconds between two pictures, and the ticks of each clock meanwhile. */
const INTERVAL = 20
const VIDEO_TICKS = 1_800
const AUDIO_TICKS = 960

function openPeer() {
  const peer = new RTCPeerConnection({ iceUseIpv6: false, iceAdditionalHostAddresses: ['127.0.0.1'] })
  onTestFinished(() => peer.close())

  /** Offers what has been added, and sets the answer. */
  async function negotiate(exchange: Exchange, { iceRestart = false } = {}): Promise<string> {
    await peer.setLocalDescription(await peer.createOffer({ iceRestart }))
    const { id, sdp } = await exchange(peer.localDescription?.sdp ?? '')
    await peer.setRemoteDescription({ type: 'answer', sdp })
    if (iceRestart) for (const transport of peer.iceTransports) transport.start().catch(() => {}) // werift does not
    return id
  }
  return { peer, negotiate }
}

/** A VP8 keyframe of a size, as the payload of one packet (RFC 7741, 4.2; RFC 6386, 9.1). */
function keyframe(width: number, height: number): Buffer {
  const payload = Buffer.alloc(40)
  payload.writeUInt8(0x10) // the first part of a frame
  Buffer.from([0x50, 0x01, 0x00, 0x9d, 0x01, 0x2a]).copy(payload, 1)
  payload.writeUInt16LE(width, 7)
  payload.writeUInt16LE(height, 9)
  return payload
}

/** Opens a peer that sends audio and pictures of 320x240, each of them a keyframe. */
export function openSender() {
  const { peer, negotiate } = openPeer()
  const tracks = { video: new MediaStreamTrack({ kind: 'video' }), audio: new MediaStreamTrack({ kind: 'audio' }) }
  peer.addTransceiver(tracks.video, { direction: 'sendonly' })
  peer.addTransceiver(tracks.audio, { direction: 'sendonly' })
  const header = (sequenceNumber: number, timestamp: number, payloadType: number) =>
    new RtpHeader({ sequenceNumber: sequenceNumber & 0xffff, timestamp, payloadType, marker: true })
  let count = 0
  const timer = setInterval(() => {
    count++
    tracks.video.writeRtp(new RtpPacket(header(count, count * VIDEO_TICKS, 96), keyframe(320, 240)))
    tracks.audio.writeRtp(new RtpPacket(header(count, count * AUDIO_TICKS, 97), Buffer.from([0xf8, 0xff, 0xfe])))
  }, INTERVAL)
  onTestFinished(() => clearInterval(timer))
  return { peer, negotiate, pause: () => clearInterval(timer) }
}

/** Opens a peer that receives audio and video, and counts their packets. */
export function openReceiver() {
  const { peer, negotiate } = openPeer()
  const received = { video: 0, audio: 0 }
  for (const kind of ['video', 'audio'] as const) {
    peer.addTransceiver(kind, { direction: 'recvonly' })
  }
  peer.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(() => {
      received[track.kind as 'video' | 'audio']++
    })
  })
  return { peer, negotiate, received }
}

/** Returns true when the other side has closed the connection. */
export const isClosed = ({ dtlsTransports }: RTCPeerConnection) =>
  dtlsTransports.every(({ state }) => state === 'closed')
