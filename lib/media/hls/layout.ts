import { type FragmentOptions, writeFragmentHead } from './fragments.ts'
import { type FragmentTimeline, type TimedSample, timeSamples } from './packets/decode-times.ts'
import type { Sample } from './packets/samples.ts'

/** A byte range of a piece’s object. Times are seconds of the presentation, the rest bytes. */
export interface PieceRange {
  readonly start: number
  readonly duration: number
  readonly offset: number
  readonly size: number
}

/** The segments and I-frames of a piece, from which playlists are written. */
export interface PieceIndex {
  readonly segments: readonly PieceRange[]
  /** One fragment for each keyframe, which holds nothing else; empty for audio. */
  readonly iframes: readonly PieceRange[]
}

/** Consecutive samples behind one head. */
export interface Fragment {
  readonly head: Buffer
  readonly samples: readonly Sample[]
}

export interface LayoutOptions extends FragmentOptions, FragmentTimeline {}

export interface PieceLayout {
  readonly fragments: readonly Fragment[]
  readonly index: PieceIndex
}

/** Minimum seconds of a segment, except the last of a piece; it ends at the next keyframe. */
const SEGMENT_SECONDS = 6
/** Seconds by which a segment may be shorter: keyframes every two seconds are not always exact. */
const TOLERANCE = 0.05

/**
 * Lays out a piece from the index, before the first byte of media is read. Each GOP has a fragment of its keyframe and
 * one of the rest; segments consist of whole GOPs. So a keyframe can be fetched alone, and a playlist of keyframes
 * refers to whole fragments, which ffmpeg needs. Audio has one fragment for each segment.
 */
export function layOut(laidOut: readonly Sample[], options: LayoutOptions): PieceLayout {
  const samples = timeSamples(laidOut, options)
  const startsSegment = segmentStarts(samples, options)
  const fragments: Fragment[] = []
  const segments: PieceRange[] = []
  const iframes: PieceRange[] = []
  let offset = 0
  for (const group of groupsOf(samples, startsSegment, options)) {
    const first = group[0] as Sample
    const own = inFragments(group, options)
    const [{ size } = { size: 0 }] = own
    const range = { ...timesOf(group, options), offset, size: own.reduce((sum, fragment) => sum + fragment.size, 0) }
    if (options.type === 'video' && first.isKey) iframes.push({ ...range, size })
    if (startsSegment.has(first)) segments.push(range)
    else segments.push(joined(segments.pop() as PieceRange, range))
    for (const { head, samples } of own) fragments.push({ head, samples })
    offset += range.size
  }
  return { fragments, index: { segments, iframes } }
}

function segmentStarts(samples: readonly Sample[], { type, timescale }: FragmentOptions): ReadonlySet<Sample> {
  const starts = new Set<Sample>()
  const least = (SEGMENT_SECONDS - TOLERANCE) * timescale
  let start = Number.NEGATIVE_INFINITY
  for (const sample of samples) {
    const mayStart = type === 'audio' || sample.isKey || starts.size === 0
    if (!mayStart || sample.slot - start < least) continue
    starts.add(sample)
    start = sample.slot
  }
  return starts
}

/** Groups samples by GOP, or audio samples by segment. */
function groupsOf(
  samples: readonly TimedSample[],
  startsSegment: ReadonlySet<Sample>,
  { type }: FragmentOptions,
): TimedSample[][] {
  const groups: TimedSample[][] = []
  for (const sample of samples) {
    if (startsSegment.has(sample) || (type === 'video' && sample.isKey)) groups.push([sample])
    else groups.at(-1)?.push(sample)
  }
  return groups
}

function inFragments(
  group: readonly TimedSample[],
  options: FragmentOptions,
): (Fragment & { readonly size: number })[] {
  const isDivided = options.type === 'video' && group[0]?.isKey && group.length > 1
  const runs = isDivided ? [group.slice(0, 1), group.slice(1)] : [group]
  return runs.map((samples) => {
    const head = writeFragmentHead(samples, options)
    return { head, samples, size: samples.reduce((sum, { size }) => sum + size, head.length) }
  })
}

/** Returns the time from the first sample to the start of the next group, in seconds. */
function timesOf(group: readonly Sample[], { timescale }: FragmentOptions) {
  const start = (group[0] as Sample).slot
  const last = group.at(-1) as Sample
  return { start: start / timescale, duration: (last.slot + last.duration - start) / timescale }
}

const joined = (a: PieceRange, b: PieceRange): PieceRange => ({
  ...a,
  duration: b.start + b.duration - a.start,
  size: a.size + b.size,
})
