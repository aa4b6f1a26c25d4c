import { timeSamples } from '../hls/packets/decode-times.ts'
import { decodeSlots, findReordering } from '../hls/packets/reordering.ts'
import { MIN_FRAME_DURATION, videoUntil } from '../joining/cut-seam.ts'
import type { PublishedTrack } from '../joining/published-track.ts'
import { readSegments } from '../joining/read-segments.ts'
import { MediaError } from '../media-error.ts'
import type { MovieTrack } from '../mp4/movie.ts'
import { createPacketTable } from '../mp4/packet-table.ts'
import {
  avcConfigurationOf,
  type ClipFrame,
  type ClipSpan,
  dataOf,
  descriptionOf,
  placementOf,
  type SurveyedTrack,
  surveyTrack,
} from './clip-track.ts'
import { encodeHead } from './encode-head.ts'
import { mergeConfigurations } from './parameter-sets.ts'

/** A track of a clip, and its media in stored order. */
export interface ClipTrack extends Omit<MovieTrack, 'duration' | 'chunks' | 'handlerName' | 'flags'> {
  readonly data: () => AsyncGenerator<Uint8Array, void, undefined>
  /** Ticks at which each packet is decoded. */
  readonly decodeTimes: readonly number[]
  /** Number of frames that were encoded again. */
  readonly encoded: number
}

/**
 * Cuts the video of a clip at exact frames. It begins with the frame that is shown at `from`. If that frame needs others, it and
 * those up to the next keyframe are encoded again, and the rest is copied.
 * @throws {@link MediaError} when a segment is damaged, or the first frames cannot be encoded
 */
export async function cutClipVideo(track: PublishedTrack, span: ClipSpan, ffmpegPath: string): Promise<ClipTrack> {
  const surveyed = await surveyTrack(track, span)
  const { frames, timescale, init } = surveyed
  const [from, to] = [Math.round(span.from * timescale), Math.min(surveyed.end, Math.round(span.to * timescale))]
  const first = firstShown(frames, from)
  if (!first) throw new MediaError('The recording shows nothing at the time of the clip.')
  const next = first.isKey ? first : keyAfter(frames, first)
  const head = first.isKey ? undefined : await encodeFrom(first, Math.min(next?.time ?? to, to), surveyed, ffmpegPath)
  const copied = next ? videoUntil(copiedFrom(frames, next), to, Math.round(MIN_FRAME_DURATION * timescale)).frames : []
  // The first frame may have begun before the clip.
  const kept = [...(head?.frames ?? []), ...copied].map((frame) => ({ ...frame, time: Math.max(0, frame.time - from) }))
  const shown = kept.map((frame, index) => (index === 0 ? { ...frame, time: 0 } : frame))
  const timed = timedFrames(shown, to - from)
  const packets = createPacketTable()
  for (const { size, decodeDuration } of timed) packets.add(size, decodeDuration)
  return {
    type: 'video',
    edits: [],
    ...placementOf(init),
    timescale,
    description: descriptionOf(init, head?.avcC),
    packets,
    offsets: timed.map(({ time, decodeTime }) => time - decodeTime),
    keys: shown.flatMap(({ isKey }, index) => (isKey ? [index] : [])),
    decodeTimes: timed.map(({ decodeTime }) => decodeTime),
    data: () => dataOf(surveyed, shown),
    encoded: head?.frames.length ?? 0,
  }
}

/** Returns the frame that is shown at a time, or the first one after it. */
function firstShown(frames: readonly ClipFrame[], from: number): ClipFrame | undefined {
  const inOrder = frames.toSorted((one, other) => one.time - other.time)
  return inOrder.findLast(({ time }) => time <= from) ?? inOrder[0]
}

const keyAfter = (frames: readonly ClipFrame[], { place }: ClipFrame): ClipFrame | undefined =>
  frames.find((one) => one.place > place && one.isKey)

/** Returns the frames from a keyframe on, without those that are shown before it: they need frames that are left out. */
const copiedFrom = (frames: readonly ClipFrame[], { place, time }: ClipFrame): ClipFrame[] =>
  frames.filter((one) => one.place >= place && one.time >= time)

async function encodeFrom(first: ClipFrame, until: number, surveyed: SurveyedTrack, ffmpegPath: string) {
  const { track, frames, init, timescale, lead } = surveyed
  const recorded = avcConfigurationOf(init)
  if (!recorded) throw new MediaError('A clip can begin between keyframes only in H.264 video.')
  const key = frames.findLast((one) => one.place <= first.place && one.isKey)
  const needed = frames.filter(({ place, time }) => place >= (key?.place ?? 0) && time < until)
  const { stream } = await readSegments(track, [...new Set(needed.map(({ segment }) => segment))])
  const order = { stream, avcC: recorded, timescale, lead, from: first.time, until }
  const { frames: encoded, avcC } = await encodeHead(ffmpegPath, order)
  return {
    avcC: mergeConfigurations(recorded, avcC),
    frames: encoded.map(({ time, isKey, data }): ClipFrame => ({ ...first, time, isKey, data, size: data.length })),
  }
}

/** Assigns decode times; see timeSamples. @param end ticks at which the last frame ends */
function timedFrames(frames: readonly ClipFrame[], end: number) {
  const slots = decodeSlots(frames)
  const samples = frames.map((frame, index) => {
    const slot = slots[index] as number
    return { ...frame, slot, duration: Math.max(0, (slots[index + 1] ?? end) - slot) }
  })
  return timeSamples(samples, { delay: findReordering(frames).delay, lead: 0 })
}
