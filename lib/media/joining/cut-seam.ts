import type { ReadFrame } from '../hls/fragment-reader.ts'
import { layOut, type PieceIndex } from '../hls/layout.ts'
import { decodeSlots } from '../hls/packets/reordering.ts'
import type { Sample } from '../hls/packets/samples.ts'
import { endOf, type PlacedSegment, type PublishedTrack } from './published-track.ts'
import { readSegments } from './read-segments.ts'

/** Seconds of a part; an omitted bound is that end of the part. */
export interface Bounds {
  readonly from?: number | undefined
  readonly until?: number | undefined
}

/**
 * Minimum seconds of a picture: half a frame at 30 per second. A shorter one is left out, and the one before it stays.
 */
export const MIN_FRAME_DURATION = 0.015

/**
 * Cuts a segment by copy to what is between the bounds, at its own times. Video ends exactly at `until` and begins
 * where it did, at a keyframe. Audio begins with the first packet from `from` on, and ends with the packet whose end is
 * nearest to `until`. Undefined when nothing is left.
 * @throws {@link MediaError} when the segment is damaged; errors of the track pass through unchanged
 */
export async function cutSeam(
  track: PublishedTrack,
  segment: PlacedSegment,
  bounds: Bounds,
): Promise<{ readonly bytes: Buffer; readonly index: PieceIndex } | undefined> {
  const { frames, timescale, lead } = await readSegments(track, [segment])
  const ticks = (seconds: number) => Math.round(seconds * timescale)
  const from = bounds.from === undefined ? Number.NEGATIVE_INFINITY : ticks(bounds.from)
  const end = ticks(endOf(segment))
  const until = bounds.until === undefined ? end : Math.min(end, ticks(bounds.until))
  const delay = delayOf(frames, lead)
  const isVideo = track.type === 'video'
  const kept = isVideo
    ? videoUntil(frames, until, ticks(MIN_FRAME_DURATION))
    : audioBetween(frames, { from, until, end })
  if (kept.frames.length === 0) return undefined
  const { fragments, index } = layOut(samplesOf(kept.frames, kept.end), { type: track.type, timescale, delay, lead })
  const data = kept.frames.map(({ data }) => data)
  const heads = fragments.map(({ head, samples }) => [head, ...data.splice(0, samples.length)])
  return { bytes: Buffer.concat(heads.flat()), index }
}

/** Returns the ticks by which frames are decoded before their slots; at the start less, see timeSamples. */
const delayOf = (frames: readonly ReadFrame[], lead: number) =>
  decodeSlots(frames).reduce((delay, slot, index) => Math.max(delay, slot + lead - (frames[index]?.decodeTime ?? 0)), 0)

interface Kept<Frame extends Pick<ReadFrame, 'time'> = ReadFrame> {
  readonly frames: readonly Frame[]
  readonly end: number
}

/**
 * Keeps the frames to be shown before `until`, and those before them in stored order that are to be shown later, which
 * they need for decoding. The latter get the last ticks before `until`: too short to be seen, and in the order in which
 * every decoder outputs them. A program that counts frames without their times counts them too.
 */
export function videoUntil<Frame extends Pick<ReadFrame, 'time'>>(
  frames: readonly Frame[],
  until: number,
  least: number,
): Kept<Frame> {
  const isShown = ({ time }: Frame) => time + least < until
  const needed = frames.slice(0, frames.findLastIndex(isShown) + 1)
  const hidden = needed.filter((frame) => !isShown(frame)).sort((a, b) => a.time - b.time)
  const timeOf = (frame: Frame) => (isShown(frame) ? frame.time : until - hidden.length + hidden.indexOf(frame))
  return { frames: needed.map((frame) => ({ ...frame, time: timeOf(frame) })), end: until }
}

function audioBetween(
  frames: readonly ReadFrame[],
  { from, until, end }: { from: number; until: number; end: number },
): Kept {
  const endAt = (index: number) => frames[index + 1]?.time ?? end
  const first = frames.findIndex(({ time }) => time >= from)
  const last = frames.findLastIndex(({ time }, index) => (time + endAt(index)) / 2 <= until)
  return first < 0 ? { frames: [], end } : { frames: frames.slice(first, last + 1), end: endAt(last) }
}

function samplesOf(frames: readonly ReadFrame[], end: number): Sample[] {
  const slots = decodeSlots(frames)
  return frames.map(({ time, isKey, data }, index) => {
    const slot = slots[index] as number
    return { time, slot, duration: Math.max(0, (slots[index + 1] ?? end) - slot), size: data.length, isKey }
  })
}
