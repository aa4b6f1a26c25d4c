import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import * as werift from 'werift'
import {
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RtcpSrPacket,
  type RtpPacket,
  useNACK,
  useOPUS,
  usePLI,
  useVP8,
  Vp8RtpPayload,
} from 'werift'
import { realClock } from '../../../../lib/clock.ts'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { ivfFrame, ivfHeader } from '../../../../local/sandbox/media/live/ivf.ts'
import { createOggWriter, opusSamples } from '../../../../local/sandbox/media/live/ogg.ts'
import { CLOCK_RATES, type Kind } from '../../../../local/sandbox/media/live/packets.ts'
import { createRetransmissionRequests } from '../../../../local/sandbox/webrtc/rtp/retransmission-requests.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'

/** The times of the last sender report: an RTP timestamp, and milliseconds since the epoch. */
interface Report {
  readonly timestamp: number
  readonly time: number
}

/** Packets of a subscriber in the order of their arrival. */
export interface Track {
  readonly packets: RtpPacket[]
  readonly reports: Report[]
}

export interface Received {
  readonly status: number
  readonly location: string
  readonly body: string
  readonly video: Track
  readonly audio: Track
  /** Requests a keyframe. */
  requestKeyframe(): void
  /** Ends the subscription by a DELETE. */
  leave(): Promise<void>
}

/** Subscribes at a WHEP address, and keeps every packet. */
export async function receive(address: string, token: string): Promise<Received> {
  const peer = new RTCPeerConnection({
    codecs: {
      video: [
        useVP8({ rtcpFeedback: [useNACK(), usePLI()] }),
        new RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90_000 }),
      ],
      audio: [useOPUS()],
    },
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceUseIpv6: false,
  })
  onTestFinished(() => peer.close())
  const follow = (kind: Kind): Track => {
    const track: Track = { packets: [], reports: [] }
    const { receiver, onTrack } = peer.addTransceiver(kind, { direction: 'recvonly' })
    onTrack.subscribe((arrived) => void arrived.onReceiveRtp.subscribe((packet) => void track.packets.push(packet)))
    receiver.onRtcp.subscribe((packet) => {
      if (packet.type !== 200) return
      const { ntpTimestamp, rtpTimestamp } = (packet as RtcpSrPacket).senderInfo
      const seconds = Number(ntpTimestamp) / 2 ** 32 - 2_208_988_800
      track.reports.push({ timestamp: rtpTimestamp, time: seconds * 1000 })
    })
    return track
  }
  const [video, audio] = [follow('video'), follow('audio')]
  await peer.setLocalDescription(await peer.createOffer())
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' },
    body: peer.localDescription?.sdp ?? '',
  })
  const body = await response.text()
  const location = response.headers.get('location') ?? ''
  if (response.status === 201) await peer.setRemoteDescription({ type: 'answer', sdp: body })
  const requests = createRetransmissionRequests(werift, realClock, peer)
  requests.collect() // werift itself requests a packet for 50 ms only
  onTestFinished(requests.stop)
  return {
    status: response.status,
    location,
    body,
    video,
    audio,
    requestKeyframe() {
      const ssrc = video.packets.at(-1)?.header.ssrc
      const receiver = peer.getTransceivers().find(({ kind }) => kind === 'video')?.receiver
      if (ssrc !== undefined) void receiver?.sendRtcpPLI(ssrc)
    },
    async leave() {
      await fetch(location, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
    },
  }
}

/** Media of a subscriber, each with the time that sender reports give its first picture or sample. */
export interface Decoded {
  readonly pictures: readonly Picture[]
  readonly firstPicture: number
  readonly samples: Int16Array
  readonly firstSample: number
}

/** Decodes what a subscriber has received of VP8 and Opus, 30 pictures a second from the first keyframe on. */
export async function decodeReceived(
  ffmpegPath: string,
  { video, audio }: Pick<Received, 'video' | 'audio'>,
  size = { width: 640, height: 480 },
): Promise<Decoded> {
  const directory = await mkdtemp(join(tmpdir(), 'received-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const [pictureFile, audioFile] = [join(directory, 'video.ivf'), join(directory, 'audio.ogg')]

  const frames = vp8Frames(video.packets)
  const [firstFrame] = frames
  const [firstPacket] = audio.packets
  if (!firstFrame || !firstPacket) throw new Error('The subscriber has not received a keyframe and audio.')
  const since = (from: number, to: number) => (to - from) | 0
  await writeFile(
    pictureFile,
    Buffer.concat([
      ivfHeader('VP8', size),
      ...frames.map(({ data, timestamp }) => ivfFrame(data, Math.round(since(firstFrame.timestamp, timestamp) / 90))),
    ]),
  )
  const ogg = createOggWriter()
  const start = firstPacket.header.timestamp
  const pages = audio.packets.map(({ header, payload }) =>
    ogg.page(payload, since(start, header.timestamp) + opusSamples(payload)),
  )
  await writeFile(audioFile, Buffer.concat([ogg.headers, ...pages]))
  return {
    pictures: await decodePictures(ffmpegPath, pictureFile, size),
    firstPicture: capturedAt(video, 'video', firstFrame.timestamp),
    samples: await decodeAudio(ffmpegPath, audioFile),
    firstSample: capturedAt(audio, 'audio', start),
  }
}

/** Returns when the media of a timestamp was captured, by the last sender report. */
export function capturedAt({ reports }: Track, kind: Kind, timestamp: number): number {
  const report = reports.at(-1)
  if (!report) throw new Error('The subscriber has not received a sender report.')
  return report.time + ((timestamp - report.timestamp) | 0) / (CLOCK_RATES[kind] / 1000)
}

/** Joins packets to frames with the depacketizer of werift, from the first keyframe on. */
function vp8Frames(packets: readonly RtpPacket[]): { data: Buffer; timestamp: number }[] {
  const byTimestamp = Map.groupBy(packets, ({ header }) => header.timestamp)
  const frames = [...byTimestamp].map(([timestamp, parts]) => {
    const payloads = parts.map(({ payload }) => Vp8RtpPayload.deSerialize(payload))
    return { timestamp, isKeyframe: payloads[0]?.isKeyframe, data: Buffer.concat(payloads.map((one) => one.payload)) }
  })
  const first = frames.findIndex(({ isKeyframe }) => isKeyframe)
  return first === -1 ? [] : frames.slice(first, -1) // the last one may be incomplete
}
