import type { RTCRtpCodecParameters, RTCRtpHeaderExtensionParameters } from 'werift'
import type { AudioCodec, VideoCodec } from '../media/live/packets.ts'
import type { Werift } from './load-werift.ts'

/**
 * Returns what a peer negotiates for a video codec: losses are repaired by NACK, pictures are requested by PLI. Lost packets are
 * sent again as RTX, those of layers as they were: werift does not assign the RTX of a layer to its stream.
 */
export function videoParameters(
  werift: Werift,
  codec: VideoCodec,
  { hasLayers = false, isSubscriber = false }: { hasLayers?: boolean | undefined; isSubscriber?: boolean | undefined },
): RTCRtpCodecParameters[] {
  const congestion = isSubscriber ? [] : [werift.useREMB(), werift.useTWCC()]
  const rtcpFeedback = [werift.useNACK(), werift.usePLI(), ...congestion]
  const video = codec === 'VP8' ? werift.useVP8({ rtcpFeedback }) : werift.useH264({ rtcpFeedback })
  if (hasLayers) return [video]
  return [video, new werift.RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90_000 })]
}

export const audioParameters = (werift: Werift, _codec: AudioCodec, isSubscriber = false): RTCRtpCodecParameters[] => [
  werift.useOPUS({ rtcpFeedback: isSubscriber ? [] : [werift.useTWCC()] }),
]

/**
 * Returns the header extensions that a peer negotiates for audio and for video. The orientation of video (3GPP TS 26.114) is left
 * out: a sender without it rotates the picture before it encodes, so that every receiver and every archive has it upright.
 */
export const headerExtensions = (werift: Werift, isSubscriber = false): RTCRtpHeaderExtensionParameters[] => [
  werift.useSdesMid(),
  ...(isSubscriber ? [] : [werift.useSdesRTPStreamId(), werift.useTransportWideCC()]),
]
