/** A segment, for the sake of its bit rate: seconds and bytes. */
export interface Weighed {
  readonly duration: number
  readonly size: number
}

/**
 * The highest bit rate of any run of segments that lasts between half and one and a half target durations, as a master playlist
 * has to state it (RFC 8216, 4.1); where none does, that of the segment with the highest.
 * @param target seconds
 * @returns bits per second, rounded up
 */
export function peakBandwidth(segments: readonly Weighed[], target: number): number {
  let peak = 0
  for (let first = 0; first < segments.length; first++) {
    let duration = 0
    let size = 0
    for (const segment of segments.slice(first, first + MAX_RUN_LENGTH)) {
      duration += segment.duration
      size += segment.size
      if (duration > 1.5 * target) break
      if (duration >= 0.5 * target) peak = Math.max(peak, (size * 8) / duration)
    }
  }
  const single = () => Math.max(0, ...segments.map(({ size, duration }) => (duration > 0 ? (size * 8) / duration : 0)))
  return Math.ceil(peak || single())
}

/** Of I-frames; segments are far fewer. It bounds the work where a damaged file has thousands in a second. */
const MAX_RUN_LENGTH = 1000

/** @returns bits per second, rounded up; 0 for what lasts no time */
export function averageBandwidth(segments: readonly Weighed[]): number {
  const duration = segments.reduce((sum, segment) => sum + segment.duration, 0)
  const size = segments.reduce((sum, segment) => sum + segment.size, 0)
  return duration > 0 ? Math.ceil((size * 8) / duration) : 0
}
