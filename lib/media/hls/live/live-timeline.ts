import type { LivePart, LiveSegment } from './live-segment.ts'
import { createSegmentList, type SegmentList } from './segment-list.ts'

/** Seconds of a live segment. Keyframes are as far apart, so that each segment begins with one. */
export const LIVE_SEGMENT_SECONDS = 2

/** The segments of a broadcast. A segment's place in the list is its media sequence number. */
export interface LiveTimeline {
  readonly segments: SegmentList
  /** Parts of the segment that is not complete. */
  readonly current: readonly LivePart[]
  readonly hasEnded: boolean
  /** Adds the next part. Returns the segment that it completes. */
  add(part: LivePart): LiveSegment | undefined
  /** Ends the broadcast. Returns the last segment if its parts were waiting for more. */
  end(): LiveSegment | undefined
}

/** Creates the list of a broadcast's segments. Only the newest segments have their parts. See `createSegmentList`. */
export function createLiveTimeline(...list: Parameters<typeof createSegmentList>): LiveTimeline {
  const segments = createSegmentList(...list)
  const segmenter = createSegmenter()
  let hasEnded = false
  const keep = (segment: LiveSegment | undefined) => {
    if (segment) segments.push(segment, segment.parts)
    return segment
  }
  return {
    segments,
    get current() {
      return segmenter.current
    },
    get hasEnded() {
      return hasEnded
    },
    add: (part) => keep(segmenter.add(part)),
    end() {
      hasEnded = true
      return keep(segmenter.end())
    },
  }
}

/**
 * Creates what groups parts into segments, and keeps none. A segment is complete as soon as it is long enough, so that the name of
 * the next part is certain. Parts of audio do not divide a segment evenly: a segment of them ends at the part that is nearest to the
 * end of the video's segment.
 */
export function createSegmenter() {
  let current: LivePart[] = []
  /** Seconds by which the complete segments are longer than planned. */
  let excess = 0

  function complete(): LiveSegment | undefined {
    const [first] = current
    if (!first) return undefined
    const { file, offset, start } = first
    const segment = { ...{ file, offset, start }, ...totals(current), parts: current }
    current = []
    excess += segment.duration - LIVE_SEGMENT_SECONDS
    return segment
  }

  return {
    /** Parts of the segment that is not complete. */
    get current(): readonly LivePart[] {
      return current
    },
    /** Adds the next part. Returns the segment that it completes. */
    add(part: LivePart): LiveSegment | undefined {
      current.push(part)
      const left = LIVE_SEGMENT_SECONDS - excess - totals(current).duration
      return left < part.duration / 2 ? complete() : undefined
    },
    /** Returns the last segment if its parts were waiting for more. */
    end: complete,
  }
}

const totals = (parts: readonly LivePart[]) => ({
  size: parts.reduce((sum, { size }) => sum + size, 0),
  duration: parts.reduce((sum, { duration }) => sum + duration, 0),
})
