import ndc from 'node-datachannel'
import { onTestFinished } from 'vitest'

/** RTP packets that a subscriber has received, by kind of media. */
export interface Received {
  readonly payloadTypes: Set<number>
  readonly ssrcs: Set<number>
  packets: number
  /** Packets that are missing in the sequence. */
  lost: number
}

const VIDEO = 96
const AUDIO = 97

/** Subscribes to a stream by WHEP with libdatachannel, which is not the library of the sandbox. */
export async function subscribe(address: string, token: string) {
  const peer = new ndc.PeerConnection('subscriber', { iceServers: [], bindAddress: '127.0.0.1' })
  const video = new ndc.Video('0', 'RecvOnly')
  video.addH264Codec(VIDEO)
  video.addVP8Codec(VIDEO + 2)
  const audio = new ndc.Audio('1', 'RecvOnly')
  audio.addOpusCodec(AUDIO)
  const [videoTrack, audioTrack] = [peer.addTrack(video), peer.addTrack(audio)]
  onTestFinished(() => {
    for (const track of [videoTrack, audioTrack]) track.close() // collected as garbage before, they would receive nothing
    peer.close()
  })
  const received = { video: count(videoTrack), audio: count(audioTrack) }
  await new Promise<void>((resolve) => {
    peer.onGatheringStateChange((state) => state === 'complete' && resolve())
    peer.setLocalDescription('offer')
  })
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' },
    body: peer.localDescription()?.sdp ?? '',
  })
  const answer = await response.text()
  if (response.status === 201) peer.setRemoteDescription(answer, 'answer')
  return { status: response.status, location: response.headers.get('location') ?? '', received }
}

function count(track: ndc.Track): Received {
  track.setMediaHandler(new ndc.RtcpReceivingSession())
  const received: Received = { payloadTypes: new Set(), ssrcs: new Set(), packets: 0, lost: 0 }
  let last: number | undefined
  track.onMessage((packet) => {
    const sequence = packet.readUInt16BE(2)
    if (last !== undefined) received.lost += (sequence - last - 1) & 0xffff
    last = sequence
    received.packets++
    received.payloadTypes.add(packet.readUInt8(1) & 0x7f)
    received.ssrcs.add(packet.readUInt32BE(8))
  })
  return received
}
