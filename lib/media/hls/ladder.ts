export interface LadderRendition {
  /** Names its files: lower-case letters and digits. */
  readonly name: string
  /** Pixels of the shorter side, so that portrait and landscape pictures shrink alike. */
  readonly height: number
  /** Bits per second that the video exceeds only briefly. */
  readonly maxVideoBitrate: number
}

/** A rendition with its size for one recording. */
export interface SizedRendition {
  readonly name: string
  /** Even numbers: planes of colour have half of them. */
  readonly width: number
  readonly height: number
  readonly maxVideoBitrate: number
}

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Maximum size relative to the recording: a rendition that is hardly smaller costs as much and has no use. */
const MAX_SHARE = 0.9

/** Fits the renditions that are smaller than a recording to its shape, the largest first; sides are even. */
export function renditionsBelow(source: PictureSize, ladder: readonly LadderRendition[]): SizedRendition[] {
  const shorter = Math.min(source.width, source.height)
  return ladder
    .filter(({ height }) => height <= shorter * MAX_SHARE)
    .sort((a, b) => b.height - a.height)
    .map(({ name, height, maxVideoBitrate }) => {
      const scaled = (side: number) => Math.min(evenBelow(side), toEven((side * height) / shorter))
      return { name, width: scaled(source.width), height: scaled(source.height), maxVideoBitrate }
    })
}

const toEven = (length: number) => Math.max(2, Math.round(length / 2) * 2)
const evenBelow = (length: number) => Math.max(2, Math.floor(length / 2) * 2)
