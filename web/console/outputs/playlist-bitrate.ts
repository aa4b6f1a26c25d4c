/** The frame rate and the bitrate of a broadcast, as its playlist has them. */
export interface OutputMeasures {
  readonly framesPerSecond?: number | undefined
  readonly kilobits?: number | undefined
}

/** The part of a recording or broadcast that Program plays. */
export interface PlayedPart {
  readonly tag: string
  /** Rate at which its picture is decoded. */
  readonly framesPerSecond: number
}

/** Bytes and seconds of a segment or a part. */
export interface Piece {
  readonly bytes: number
  readonly seconds: number
}

/** Returns the kilobits in a second of some pieces; undefined for none. */
export function kilobitsOf(pieces: readonly Piece[]): number | undefined {
  const seconds = pieces.reduce((sum, piece) => sum + piece.seconds, 0)
  if (seconds <= 0) return undefined
  return (pieces.reduce((sum, { bytes }) => sum + bytes, 0) * 8) / 1000 / seconds
}

/** The best rendition of a master playlist. */
interface Variant {
  readonly url: string
  /** Frames per second, as the playlist states it. */
  readonly frameRate?: number | undefined
}

/** Returns the rendition with the highest bandwidth; undefined for a playlist of segments. */
export function bestVariant(master: string, base: string): Variant | undefined {
  const variants = [...master.matchAll(/^#EXT-X-STREAM-INF:(.*)\s+(\S+)/gm)].map(([, attributes = '', uri = '']) => ({
    url: new URL(uri, base).href,
    bandwidth: Number(/(?:^|,)BANDWIDTH=(\d+)/.exec(attributes)?.[1] ?? 0),
    frameRate: Number(/FRAME-RATE=([\d.]+)/.exec(attributes)?.[1]) || undefined,
  }))
  return variants.sort((one, other) => other.bandwidth - one.bandwidth)[0]
}

/** A segment of a playlist. Its size is stated if it is a range of a file. */
export interface Segment {
  readonly url: string
  readonly seconds: number
  readonly bytes?: number | undefined
}

/** Returns the newest segments of a playlist. @param count number of segments */
export function newestSegments(playlist: string, base: string, count: number): Segment[] {
  const segments = [...playlist.matchAll(/^#EXTINF:([\d.]+)[^\n]*\n((?:#[^\n]*\n)*)([^#\s]\S*)/gm)]
  return segments.slice(-count).map(([, seconds, tags = '', uri = '']) => ({
    url: new URL(uri, base).href,
    seconds: Number(seconds),
    bytes: Number(/^#EXT-X-BYTERANGE:(\d+)/m.exec(tags)?.[1]) || undefined,
  }))
}
