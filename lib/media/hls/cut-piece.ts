import type { ByteSource } from '../byte-source.ts'
import type { PieceIndex } from './layout.ts'
import { type OpenTrack, withPiece } from './open-piece.ts'
import type { PresentationSpan } from './packets/samples.ts'

export interface CutTrack {
  /** Codec string of RFC 6381. */
  readonly codec: string
  /** Pixels as shown; undefined for audio. */
  readonly picture?: { readonly width: number; readonly height: number }
  /** The same for every piece of a recording. */
  readonly init: Buffer
  readonly index: PieceIndex
}

export interface CutPiece {
  readonly video: CutTrack | null
  readonly audio: CutTrack | null
}

/** Receives the bytes of a track’s object in order. The next bytes wait until it resolves, and may reuse the memory. */
export type TakeBytes = (track: 'video' | 'audio', bytes: Buffer) => Promise<void>

/**
 * Cuts a piece out of a recording without encoding: outputs, for each track, the bytes of an object of consecutive CMAF
 * segments. Picture and audio keep the order of the file, so that neither waits in memory. A track without packets in
 * the piece has an empty object. The same piece always gives the same bytes.
 * @throws {@link MediaError} as planPieces does, and when the file ends before its index says so; errors of the source
 *   and of `take` pass through unchanged
 */
export function cutPiece(source: ByteSource, piece: PresentationSpan, take: TakeBytes): Promise<CutPiece> {
  return withPiece(source, piece, ['video', 'audio'], async ({ video, audio, copy }) => {
    await copy(take)
    return { video: video && cutTrack(video), audio: audio && cutTrack(audio) }
  })
}

function cutTrack({ facts, init, index }: OpenTrack): CutTrack {
  const { codec } = facts
  if (facts.type === 'audio') return { codec, init, index }
  return { codec, picture: { width: facts.width, height: facts.height }, init, index }
}
