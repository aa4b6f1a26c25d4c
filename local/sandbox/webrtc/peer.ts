import type { RTCPeerConnection, RTCRtpTransceiver } from 'werift'
import type { Clock } from '../../../lib/clock.ts'
import type { AudioCodec, VideoCodec } from '../media/live/packets.ts'
import { sendCloseNotify } from './close-notify.ts'
import { audioParameters, headerExtensions, videoParameters } from './codecs.ts'
import { DoorProblem } from './door-problem.ts'
import { createLiveness } from './liveness.ts'
import type { Werift } from './load-werift.ts'
import { createRetransmissionRequests } from './rtp/retransmission-requests.ts'
import { useKeyObjects } from './rtp/srtp-keys.ts'
import { createFeedbackSender } from './rtp/transport-feedback.ts'

/** `closed`: the other side has ended the connection. `lost`: nothing arrives from it, or it was never established. */
export type PeerEnd = 'closed' | 'lost'

export interface PeerCodecs {
  readonly video?: VideoCodec | undefined
  readonly audio?: AudioCodec | undefined
  /** True if the other side sends its video in several layers (simulcast). */
  readonly hasLayers?: boolean | undefined
  /** True if the other side only receives: it is not asked for reports of congestion, by which nothing would be changed. */
  readonly isSubscriber?: boolean | undefined
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
  /**
   * Answers another offer of the same peer connection once it is connected. Other ICE credentials in it restart ICE.
   * @throws {@link DoorProblem} 400 or 422 when the offer cannot be used; the connection stays as it was
   */
  renegotiate(offer: string): Promise<string>
  /** Records that something has arrived from the other side. */
  touch(): void
  close(): void
}

/**
 * Creates a peer of the codecs that were chosen from an offer. Each callback is called at most once, `onEnd` not after `close`.
 * @param address the one IPv4 address at which the peer is answered
 */
export function createPeer(
  werift: Werift,
  { clock, address }: { clock: Clock; address: string },
  codecs: PeerCodecs,
  { onConnected, onEnd }: { onConnected(): void; onEnd(end: PeerEnd): void },
): Peer {
  const liveness = createLiveness(clock, () => end('lost'))
  const { isSubscriber, hasLayers } = codecs
  const extensions = headerExtensions(werift, isSubscriber)
  const connection = new werift.RTCPeerConnection({
    codecs: {
      video: codecs.video ? videoParameters(werift, codecs.video, { hasLayers, isSubscriber }) : [],
      audio: codecs.audio ? audioParameters(werift, codecs.audio, isSubscriber) : [],
    },
    headerExtensions: { video: extensions, audio: extensions },
    bundlePolicy: 'max-bundle',
    // The other side checks the one candidate, so that names of mDNS need not be resolved.
    iceLite: true,
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceUseTcp: false,
    iceAdditionalHostAddresses: [address],
    iceInterfaceAddresses: { udp4: address },
    iceFilterStunResponse: () => {
      liveness.touch()
      return true
    },
  })
  const feedback = createFeedbackSender(clock, connection)
  const retransmissions = createRetransmissionRequests(werift, clock, connection)
  const { promise: connected, resolve: onceConnected } = Promise.withResolvers<void>()
  let isConnected = false
  let isOver = false
  /** False for ffmpeg, which alone offers this role: when it gets the alert, it never exits. Without, it fails to send. */
  let takesAlert = true
  let fingerprints = ''
  let negotiating: Promise<unknown> = connected

  function close(): void {
    if (isOver) return
    isOver = true
    liveness.stop()
    feedback.stop()
    retransmissions.stop()
    onceConnected()
    Promise.all(takesAlert ? connection.dtlsTransports.map(sendCloseNotify) : [])
      .catch(() => {}) // the other side finds out by its own checks
      .then(() => connection.close())
      .catch(() => {}) // its sockets are closed in any case
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
      for (const transport of connection.dtlsTransports) {
        useKeyObjects(transport)
        transport.onStateChange.subscribe((dtls) => dtls === 'closed' && end('closed'))
      }
      feedback.start()
      onceConnected()
      onConnected()
    }
  })

  /** @throws {@link DoorProblem} 400 */
  async function negotiate(offer: string): Promise<string> {
    try {
      await connection.setRemoteDescription({ type: 'offer', sdp: offer })
      await connection.setLocalDescription(await connection.createAnswer())
      feedback.collect()
      retransmissions.collect()
    } catch (error) {
      throw new DoorProblem(400, `The offer cannot be used: ${error instanceof Error ? error.message : error}`)
    }
    return connection.localDescription?.sdp ?? ''
  }
  async function renegotiate(offer: string): Promise<string> {
    if (isOver) throw new DoorProblem(404, 'The peer connection has ended: send the offer of a new one.')
    if (fingerprintsIn(offer) !== fingerprints)
      throw new DoorProblem(422, 'The offer is not one of the same peer connection: its DTLS fingerprint is another.')
    liveness.touch()
    const restarts = () => connection.iceTransports.map(({ iceRestarts }) => iceRestarts).join()
    const before = restarts()
    const answer = await negotiate(offer)
    // werift starts no checks of a transport whose DTLS is connected.
    if (restarts() !== before) for (const transport of connection.iceTransports) transport.start().catch(() => {}) // liveness ends the peer
    return answer
  }

  return {
    connection,
    codecs,
    transceiver: (kind) => connection.getTransceivers().findLast((one) => one.kind === kind && !one.stopped),
    answer(offer) {
      takesAlert = !/^a=setup:passive/m.test(offer)
      fingerprints = fingerprintsIn(offer)
      return negotiate(offer).catch((error) => {
        close()
        throw error
      })
    },
    renegotiate(offer) {
      const answer = negotiating.then(() => renegotiate(offer))
      negotiating = answer.catch(() => {})
      return answer
    },
    touch: liveness.touch,
    close,
  }
}

const fingerprintsIn = (sdp: string) => [...new Set(sdp.match(/^a=fingerprint:.*/gm))].join().toLowerCase()
