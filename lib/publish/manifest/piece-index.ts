import { z } from 'zod'

/** Where something lies in the object of its piece: seconds of the recording, bytes of the object. */
const byteRange = z.object({ start: z.number(), duration: z.number(), offset: z.int(), size: z.int() })

const hashed = z.object({ size: z.int(), sha256: z.string() })

/** One track of one piece, or one smaller copy of its picture. */
const indexedTrack = z.object({
  /** Its files are called `<name>-init.mp4` and `<name>-<piece>.mp4`. */
  name: z.string(),
  /** As RFC 6381 writes it. */
  codec: z.string(),
  /** Pixels as shown; absent for audio. */
  picture: z.object({ width: z.int(), height: z.int() }).optional(),
  init: hashed,
  /** Null when the track has nothing in this piece. */
  media: hashed.nullable(),
  segments: z.array(byteRange),
  iframes: z.array(byteRange),
})
export type IndexedTrack = z.output<typeof indexedTrack>

/** `recordings/<archive id>/<format>/<edition>/index-<piece>.json`: what playlists are written from. */
export const pieceIndex = z.object({ version: z.literal(1), tracks: z.array(indexedTrack) })
export type PieceIndexDocument = z.output<typeof pieceIndex>
