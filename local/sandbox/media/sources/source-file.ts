/** A file that can be a participant, as it is decoded. */
export interface SourceFile {
  readonly type: 'file'
  readonly path: string
  /** What ffmpeg calls its format. */
  readonly format: 'mov' | 'matroska'
  /** How long one pass is: as long as the longer of its tracks. */
  readonly frames: number
  /** Of the picture that it is decoded to, at most 1280x720 and even. */
  readonly width: number
  readonly height: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  /** As Insights call it; absent without that track, or if the codec is not known. */
  readonly audioCodec?: string | undefined
  readonly videoCodec?: string | undefined
}
