import { limits } from '../../../lib/platform/contract/limits.ts'
import type { StreamMeasurement, StreamSpan, TrackState } from '../state/spans.ts'
import type { Seen } from './session-activity.ts'

const INTERVAL = limits.statisticsInterval.value * 1000

/** Returns the number of samples: one after every 30 s. */
export const countSamples = ({ start, end }: { readonly start: number; readonly end: number }) =>
  Math.floor((end - start) / INTERVAL)

/**
 * Returns the quality of a stream at one instant, as it is published or as a client receives it. Missing tracks are null.
 * Without a measurement, as of generated pictures and files, bit rates, latency and packet loss are null too.
 */
export function sampleOf(
  stream: Seen<StreamSpan>,
  { start }: { readonly start: number },
  index: number,
  measurement?: StreamMeasurement,
) {
  const createdAt = start + (index + 1) * INTERVAL
  const { hasAudio, hasVideo } = tracksAt(stream, createdAt)
  const { audioCodec = null, videoCodec = null, videoResolution = null } = stream.format ?? {}
  const audio = hasAudio ? measurement?.audio : undefined
  const video = hasVideo ? measurement?.video : undefined
  return {
    createdAt,
    hasAudio,
    hasVideo,
    subscribeToAudio: true,
    subscribeToVideo: true,
    audioBitrateKbps: audio?.bitrateKbps ?? null,
    videoBitrateKbps: video?.bitrateKbps ?? null,
    audioLatencyMs: audio?.latencyMs ?? null,
    videoLatencyMs: video?.latencyMs ?? null,
    audioPacketLoss: audio?.packetLoss ?? null,
    videoPacketLoss: video?.packetLoss ?? null,
    audioCodec: hasAudio ? (audio?.codec ?? audioCodec) : null,
    videoCodec: hasVideo ? (video?.codec ?? videoCodec) : null,
    videoResolution: hasVideo ? (measurement?.videoResolution ?? videoResolution) : null,
  }
}

function tracksAt({ tracks }: Seen<StreamSpan>, time: number): Omit<TrackState, 'at'> {
  return tracks.findLast(({ at }) => at <= time) ?? { hasAudio: false, hasVideo: false }
}
