import { limits } from '../../../lib/platform/contract/limits.ts'
import type { StreamSpan, Tracks } from '../state/spans.ts'
import type { Seen } from './session-activity.ts'

const INTERVAL = limits.statisticsInterval.value * 1000

/** Returns the number of samples: one after every 30 s. */
export const countSamples = ({ start, end }: { readonly start: number; readonly end: number }) =>
  Math.floor((end - start) / INTERVAL)

/**
 * Returns the quality of a stream at one instant, as it is published or as a client receives it. Bit rates, latency and packet loss are not
 * measured, so they are null, like missing tracks.
 */
export function sampleOf(stream: Seen<StreamSpan>, { start }: { readonly start: number }, index: number) {
  const createdAt = start + (index + 1) * INTERVAL
  const { hasAudio, hasVideo } = tracksAt(stream, createdAt)
  const { audioCodec = null, videoCodec = null, videoResolution = null } = stream.format ?? {}
  return {
    createdAt,
    hasAudio,
    hasVideo,
    subscribeToAudio: true,
    subscribeToVideo: true,
    audioBitrateKbps: null,
    videoBitrateKbps: null,
    audioLatencyMs: null,
    videoLatencyMs: null,
    audioPacketLoss: null,
    videoPacketLoss: null,
    audioCodec: hasAudio ? audioCodec : null,
    videoCodec: hasVideo ? videoCodec : null,
    videoResolution: hasVideo ? videoResolution : null,
  }
}

function tracksAt({ tracks }: Seen<StreamSpan>, time: number): Omit<Tracks, 'at'> {
  return tracks.findLast(({ at }) => at <= time) ?? { hasAudio: false, hasVideo: false }
}
