import type { PublishedTrack } from '../joining/published-track.ts'
import { createPacketTable } from '../mp4/packet-table.ts'
import { type ClipFrame, type ClipSpan, dataOf, descriptionOf, surveyTrack } from './clip-track.ts'
import type { ClipTrack } from './clip-video.ts'

/**
 * Cuts the audio of a clip by copy: the packets that are heard in it, and the one before, which the decoder needs. An edit list
 * begins the audio exactly at `from`.
 * @param movieTimescale ticks per second of edits
 */
export async function cutClipAudio(track: PublishedTrack, span: ClipSpan, movieTimescale: number): Promise<ClipTrack> {
  const surveyed = await surveyTrack(track, span)
  const { frames, timescale, init, end } = surveyed
  const [from, to] = [Math.round(span.from * timescale), Math.round(span.to * timescale)]
  const endAt = (index: number) => frames[index + 1]?.time ?? end
  const heard = frames.filter(({ time }, index) => endAt(index) > from && time < to)
  const before = frames.find((_, index) => frames[index + 1] === heard[0])
  const kept: readonly ClipFrame[] = before && heard.length > 0 ? [before, ...heard] : heard
  const start = kept[0]?.time ?? from
  const last = kept.at(-1)
  const until = last ? endAt(last.place) : from
  const packets = createPacketTable()
  for (const { size, time, place } of kept) packets.add(size, endAt(place) - time)
  const silent = Math.max(0, start - from)
  const played = Math.min(until, to) - Math.max(start, from)
  const inMovie = (ticks: number) => Math.round((ticks * movieTimescale) / timescale)
  return {
    type: 'audio',
    edits: [
      ...(silent > 0 ? [{ duration: inMovie(silent), mediaTime: -1 }] : []),
      { duration: inMovie(played), mediaTime: Math.max(0, from - start) },
    ],
    timescale,
    description: descriptionOf(init),
    packets,
    decodeTimes: kept.map(({ time }) => time - start),
    data: () => dataOf(surveyed, kept),
    encoded: 0,
  }
}
