/** The seconds and bytes of a segment. */
export interface Weighed {
  readonly duration: number
  readonly size: number
}

/**
 * Returns the highest bit rate of any run of segments that lasts between half and one and a half target durations, as a
 * master playlist must state it (RFC 8216, 4.1). Without such a run, returns that of the segment with the highest.
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

/** Bounds a run of I-frames, of which a damaged file may have thousands per second; segments are far fewer. */
const MAX_RUN_LENGTH = 1000

/**
 * Returns the average bit rate of segments.
 * @returns bits per second, rounded up; 0 without duration
 */
export function averageBandwidth(segments: readonly Weighed[]): number {
  const duration = segments.reduce((sum, segment) => sum + segment.duration, 0)
  const size = segments.reduce((sum, segment) => sum + segment.size, 0)
  return duration > 0 ? Math.ceil((size * 8) / duration) : 0
}
