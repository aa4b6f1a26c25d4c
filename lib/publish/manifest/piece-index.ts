import { z } from 'zod'

/** A part of a piece's object: start and duration in seconds of the recording, offset and size in bytes. */
const byteRange = z.object({ start: z.number(), duration: z.number(), offset: z.int(), size: z.int() })

const hashed = z.object({ size: z.int(), sha256: z.string() })

/** One track of one piece, or one rendition of its video. */
const indexedTrack = z.object({
  /** Its files are named `<name>-init.mp4` and `<name>-<piece>.mp4`. */
  name: z.string(),
  /** Codec string (RFC 6381). */
  codec: z.string(),
  /** Pixels as shown; absent for audio. */
  picture: z.object({ width: z.int(), height: z.int() }).optional(),
  init: hashed,
  /** Null when the track has no media in this piece. */
  media: hashed.nullable(),
  segments: z.array(byteRange),
  iframes: z.array(byteRange),
})
export type IndexedTrack = z.output<typeof indexedTrack>

/** `recordings/<archive id>/<format>/<edition>/index-<piece>.json`: the index that playlists are written from. */
export const pieceIndex = z.object({ version: z.literal(1), tracks: z.array(indexedTrack) })
export type PieceIndexDocument = z.output<typeof pieceIndex>
