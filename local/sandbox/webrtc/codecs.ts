import type { RTCRtpCodecParameters, RTCRtpHeaderExtensionParameters } from 'werift'
import type { AudioCodec, VideoCodec } from '../media/live/packets.ts'
import type { Werift } from './load-werift.ts'

/**
 * Returns what a peer negotiates for a video codec: losses are repaired by NACK and RTX, pictures are requested by PLI. Layers
 * have PLI only, since werift counts the packets of all layers as one sequence, and would request what was never sent.
 */
export function videoParameters(werift: Werift, codec: VideoCodec, hasLayers = false): RTCRtpCodecParameters[] {
  const rtcpFeedback = [werift.usePLI(), werift.useREMB(), werift.useTWCC()]
  const use = codec === 'VP8' ? werift.useVP8 : werift.useH264
  if (hasLayers) return [use({ rtcpFeedback })]
  return [
    use({ rtcpFeedback: [werift.useNACK(), ...rtcpFeedback] }),
    new werift.RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90_000 }),
  ]
}

export const audioParameters = (werift: Werift, _codec: AudioCodec): RTCRtpCodecParameters[] => [
  werift.useOPUS({ rtcpFeedback: [werift.useTWCC()] }),
]

/**
 * Returns the header extensions that a peer negotiates for audio and for video. The orientation of video (3GPP TS 26.114) is left
 * out: a sender without it rotates the picture before it encodes, so that every receiver and every archive has it upright.
 */
export const headerExtensions = (werift: Werift): RTCRtpHeaderExtensionParameters[] => [
  werift.useSdesMid(),
  werift.useSdesRTPStreamId(),
  werift.useTransportWideCC(),
]
