/** Seconds of a live segment. Keyframes are as far apart, so that each segment begins with one. */
export const LIVE_SEGMENT_SECONDS = 2
/** Segments at the end whose parts can still be requested: more than a playlist names. */
const SEGMENTS_WITH_PARTS = 6

/** A byte range of a media file. `start` is in milliseconds since the epoch, `duration` in seconds. */
export interface KeptRange {
  /** Name of the file in the broadcast's directory. */
  readonly file: string
  readonly offset: number
  readonly size: number
  readonly start: number
  readonly duration: number
}

/** A partial segment (RFC 8216bis, 4.4.4.9). */
export interface LivePart extends KeptRange {
  /** True if it begins with a keyframe. */
  readonly isIndependent: boolean
}

/** A segment with its parts. Older segments have none, see LiveTimeline. */
export interface LiveSegment extends KeptRange {
  readonly parts: readonly LivePart[]
}

/** The segments of a broadcast. A segment's place in the list is its media sequence number. */
export interface LiveTimeline {
  readonly segments: readonly LiveSegment[]
  /** Parts of the segment that is not complete. */
  readonly current: readonly LivePart[]
  readonly hasEnded: boolean
  /** Adds the next part. Returns the segment that it completes. */
  add(part: LivePart): LiveSegment | undefined
  /** Ends the broadcast. Returns the last segment if its parts were waiting for more. */
  end(): LiveSegment | undefined
}

/**
 * Creates the list of a broadcast's segments. A segment is complete as soon as it is long enough, so that the name of the
 * next part is certain. Parts of audio do not divide a segment evenly: a segment of them ends at the part that is nearest to
 * the end of the video's segment. Only the newest segments have their parts.
 */
export function createLiveTimeline(kept: readonly KeptRange[] = []): LiveTimeline {
  const segments: LiveSegment[] = kept.map((range) => ({ ...range, parts: [] }))
  let current: LivePart[] = []
  let hasEnded = false
  /** Seconds by which the complete segments are longer than planned. */
  let excess = 0

  function complete(): LiveSegment | undefined {
    const [first] = current
    if (!first) return undefined
    const { file, offset, start } = first
    const segment = { ...{ file, offset, start }, ...totals(current), parts: current }
    current = []
    segments.push(segment)
    excess += segment.duration - LIVE_SEGMENT_SECONDS
    const old = segments.length - 1 - SEGMENTS_WITH_PARTS
    if (segments[old]) segments[old] = { ...segments[old], parts: [] }
    return segment
  }

  return {
    segments,
    get current() {
      return current
    },
    get hasEnded() {
      return hasEnded
    },
    add(part) {
      current.push(part)
      const left = LIVE_SEGMENT_SECONDS - excess - totals(current).duration
      return left < part.duration / 2 ? complete() : undefined
    },
    end() {
      hasEnded = true
      return complete()
    },
  }
}

const totals = (parts: readonly LivePart[]) => ({
  size: parts.reduce((sum, { size }) => sum + size, 0),
  duration: parts.reduce((sum, { duration }) => sum + duration, 0),
})
