import { createHash } from 'node:crypto'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Seen } from './presence.ts'
import type { StreamSpan, Tracks } from './spans.ts'

/** What a sample tells; what the stream does not have is null. */
export interface Sample {
  readonly createdAt: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly subscribeToAudio: boolean
  readonly subscribeToVideo: boolean
  readonly audioBitrateKbps: number | null
  readonly videoBitrateKbps: number | null
  readonly audioLatencyMs: number | null
  readonly videoLatencyMs: number | null
  readonly audioPacketLoss: number | null
  readonly videoPacketLoss: number | null
  readonly audioCodec: string | null
  readonly videoCodec: string | null
  readonly videoResolution: string | null
}

const INTERVAL = limits.statisticsInterval.value * 1000

/** How many samples there are: one after every 30 s. */
export const countSamples = ({ start, end }: { readonly start: number; readonly end: number }) =>
  Math.floor((end - start) / INTERVAL)

/**
 * One sample of a stream, as published or as taken by a client. When it was taken and what the stream carried is what
 * happened; the rest is simulated: no media runs between the sandbox and its clients. It is the same whenever asked.
 */
export function sampleOf(
  stream: Seen<StreamSpan>,
  { id, start }: { readonly id: string; readonly start: number },
  index: number,
): Sample {
  const createdAt = start + (index + 1) * INTERVAL
  const { hasAudio, hasVideo } = tracksAt(stream, createdAt)
  const dice = createHash('sha256').update(`${id} ${createdAt}`).digest()
  const between = (byte: number, low: number, high: number) => low + ((dice[byte] ?? 0) / 255) * (high - low)
  const audio = (value: number) => (hasAudio ? value : null)
  const video = (value: number) => (hasVideo ? value : null)
  return {
    createdAt,
    hasAudio,
    hasVideo,
    subscribeToAudio: true,
    subscribeToVideo: true,
    audioBitrateKbps: audio(round(between(0, 28, 40))),
    videoBitrateKbps: video(round(between(1, 450, 750))),
    audioLatencyMs: audio(round(between(2, 20, 60))),
    videoLatencyMs: video(round(between(3, 30, 80))),
    audioPacketLoss: audio(round(between(4, 0, 0.004), 4)),
    videoPacketLoss: video(round(between(5, 0, 0.004), 4)),
    audioCodec: hasAudio ? 'OPUS' : null,
    videoCodec: hasVideo ? 'VP8' : null,
    videoResolution: hasVideo ? '640x480' : null,
  }
}

function tracksAt({ tracks }: Seen<StreamSpan>, time: number): Omit<Tracks, 'at'> {
  return tracks.findLast(({ at }) => at <= time) ?? { hasAudio: false, hasVideo: false }
}

const round = (value: number, digits = 1) => Number(value.toFixed(digits))
