import type { copyAudio } from '../media/audio/copy-audio.ts'
import type { measureAudio } from '../media/audio/measure-audio.ts'
import type { findBlack } from '../media/chapters/find-black.ts'
import type { cutClip } from '../media/clips/cut-clip.ts'
import type { assembleComposite } from '../media/composite/assemble-composite.ts'
import type { encodeCompositePiece } from '../media/composite/encode-composite-piece.ts'
import type { mixAudio } from '../media/composite/mix-audio.ts'
import type { planFaststart } from '../media/faststart/plan-faststart.ts'
import type { ffmpegVersion } from '../media/ffmpeg/ffmpeg-build.ts'
import type { cutPiece } from '../media/hls/cut-piece.ts'
import type { encodePiece } from '../media/hls/encode-piece.ts'
import type { planPieces } from '../media/hls/pieces.ts'
import type { inspect } from '../media/inspect.ts'
import type { findOverlap } from '../media/joining/find-overlap.ts'
import type { joinTracks } from '../media/joining/join-tracks.ts'
import type { makePoster } from '../media/pictures/poster.ts'
import type { makeThumbnails } from '../media/pictures/thumbnails.ts'

/** Functions of media that publishing calls. Everything else of publishing runs without media. */
export interface MediaFunctions {
  readonly assembleComposite: typeof assembleComposite
  readonly copyAudio: typeof copyAudio
  readonly cutClip: typeof cutClip
  readonly cutPiece: typeof cutPiece
  readonly encodeCompositePiece: typeof encodeCompositePiece
  readonly encodePiece: typeof encodePiece
  readonly ffmpegVersion: typeof ffmpegVersion
  readonly findBlack: typeof findBlack
  readonly findOverlap: typeof findOverlap
  readonly inspect: typeof inspect
  readonly joinTracks: typeof joinTracks
  readonly makePoster: typeof makePoster
  readonly makeThumbnails: typeof makeThumbnails
  readonly measureAudio: typeof measureAudio
  readonly mixAudio: typeof mixAudio
  readonly planFaststart: typeof planFaststart
  readonly planPieces: typeof planPieces
}

/** The media of services. A simulation has facts instead of files. */
export interface WithMedia {
  /** @default real media */
  readonly media?: MediaFunctions | undefined
}

/** Returns the functions of media that the services have instead of the given ones. */
export const mediaOf = <Name extends keyof MediaFunctions>(
  { media }: WithMedia,
  real: Pick<MediaFunctions, Name>,
): Pick<MediaFunctions, Name> => media ?? real
