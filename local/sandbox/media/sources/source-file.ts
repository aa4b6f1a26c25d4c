/** A file that can be a source, with the facts for its decoding. */
export interface SourceFile {
  readonly type: 'file'
  readonly path: string
  /** ffmpeg's name of its format. */
  readonly format: 'mov' | 'matroska'
  /** Frames per pass: the length of the longer track. */
  readonly frames: number
  /** Width of its decoded pictures; width and height are even and at most 1280x720. */
  readonly width: number
  readonly height: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** Codec in the terms of Insights; absent without that track, or if the codec is unknown. */
  readonly audioCodec?: string | undefined
  readonly videoCodec?: string | undefined
}
