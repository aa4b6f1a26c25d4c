import type { ByteSource } from '../byte-source.ts'
import type { PieceIndex } from './layout.ts'
import { type OpenTrack, withPiece } from './open-piece.ts'
import type { Span } from './packets/samples.ts'

/** What there is of a track beside the bytes that were handed out. */
export interface CutTrack {
  /** As RFC 6381 writes it. */
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

/** Takes the bytes of a track's object in their order; the next ones wait until it is done, and may then lie where these did. */
export type TakeBytes = (track: 'video' | 'audio', bytes: Buffer) => Promise<void>

/**
 * Cuts a piece out of a recording without encoding: hands out, for each track, the bytes of an object of CMAF segments that
 * follow one another, picture and audio in step as they lie in the file, so that neither waits in memory. A track that has
 * nothing in the piece has an object of no bytes. The same piece always gives the same bytes.
 * @throws MediaError as planPieces does, and when the file ends before its index says so; whatever the source or the taker
 *   rejects with, unchanged
 */
export function cutPiece(source: ByteSource, piece: Span, take: TakeBytes): Promise<CutPiece> {
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
