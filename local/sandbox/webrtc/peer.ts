import type { RTCPeerConnection, RTCRtpTransceiver } from 'werift'
import type { Clock } from '../../../lib/clock.ts'
import type { AudioCodec, VideoCodec } from '../media/live/packets.ts'
import { audioParameters, headerExtensions, videoParameters } from './codecs.ts'
import { DoorProblem } from './door-problem.ts'
import { createLiveness } from './liveness.ts'
import type { Werift } from './load-werift.ts'
import { useKeyObjects } from './srtp-keys.ts'
import { createFeedbackSender } from './transport-feedback.ts'

/** The one address at which peers are answered. */
const ADDRESS = '127.0.0.1'

/** `closed`: the other side has ended the connection. `lost`: nothing arrives from it, or it was never established. */
export type PeerEnd = 'closed' | 'lost'

export interface PeerCodecs {
  readonly video?: VideoCodec | undefined
  readonly audio?: AudioCodec | undefined
}

/** The sandbox's side of one WebRTC connection. */
export interface Peer {
  readonly connection: RTCPeerConnection
  readonly codecs: PeerCodecs
  /** Returns the transceiver of audio or video, once an offer is set. */
  transceiver(kind: 'audio' | 'video'): RTCRtpTransceiver | undefined
  /**
   * Answers an offer, with all candidates.
   * @throws {@link DoorProblem} 400 when the library cannot use the offer
   */
  answer(offer: string): Promise<string>
  /** Records that something has arrived from the other side. */
  touch(): void
  close(): void
}

/** Creates a peer of the codecs that were chosen from an offer. Each callback is called at most once, `onEnd` not after `close`. */
export function createPeer(
  werift: Werift,
  clock: Clock,
  codecs: PeerCodecs,
  { onConnected, onEnd }: { onConnected(): void; onEnd(end: PeerEnd): void },
): Peer {
  const liveness = createLiveness(clock, () => end('lost'))
  const extensions = headerExtensions(werift)
  const connection = new werift.RTCPeerConnection({
    codecs: {
      video: codecs.video ? videoParameters(werift, codecs.video) : [],
      audio: codecs.audio ? audioParameters(werift, codecs.audio) : [],
    },
    headerExtensions: { video: extensions, audio: extensions },
    bundlePolicy: 'max-bundle',
    // The other side checks the one candidate, so that names of mDNS need not be resolved.
    iceLite: true,
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceUseTcp: false,
    iceAdditionalHostAddresses: [ADDRESS],
    iceInterfaceAddresses: { udp4: ADDRESS },
    iceFilterStunResponse: () => {
      liveness.touch()
      return true
    },
  })
  const feedback = createFeedbackSender(clock, connection)
  let isConnected = false
  let isOver = false

  function close(): void {
    isOver = true
    liveness.stop()
    feedback.stop()
    connection.close().catch(() => {}) // its sockets are closed in any case
  }
  function end(how: PeerEnd): void {
    if (isOver) return
    close()
    onEnd(how)
  }

  connection.connectionStateChange.subscribe((state) => {
    if (isOver) return
    if (state === 'failed') end('lost')
    else if (state === 'closed') end('closed')
    else if (state === 'connected' && !isConnected) {
      isConnected = true
      liveness.connected()
      for (const transport of connection.dtlsTransports) useKeyObjects(transport)
      feedback.start()
      onConnected()
    }
  })

  return {
    connection,
    codecs,
    transceiver: (kind) => connection.getTransceivers().find((one) => one.kind === kind),
    async answer(offer) {
      try {
        await connection.setRemoteDescription({ type: 'offer', sdp: offer })
        await connection.setLocalDescription(await connection.createAnswer())
        feedback.collect()
      } catch (error) {
        close()
        throw new DoorProblem(400, `The offer cannot be used: ${error instanceof Error ? error.message : error}`)
      }
      return connection.localDescription?.sdp ?? ''
    },
    touch: liveness.touch,
    close,
  }
}
