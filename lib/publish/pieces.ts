import { createHash } from 'node:crypto'
import { createHandover } from '../aws/storage/handover.ts'
import type { Storage } from '../aws/storage/storage.ts'
import { keys } from '../show/state/keys.ts'
import { TaskInputError } from '../tasks/errors.ts'
import { tagsFor } from './manifest/manifest.ts'
import { type IndexedTrack, type PieceIndexDocument, pieceIndex } from './manifest/piece-index.ts'

/** The folder of the pieces of one edition. */
export interface PieceFolder {
  readonly archiveId: string
  readonly format: 'hls' | 'renditions'
  readonly edition: string
}

/** A track of a piece whose bytes have been passed to `TakeBytes`. */
export interface MadeTrack extends Omit<IndexedTrack, 'init' | 'media' | 'segments' | 'iframes'> {
  readonly init: Uint8Array
  readonly index: {
    readonly segments: readonly IndexedTrack['segments'][number][]
    readonly iframes: readonly IndexedTrack['iframes'][number][]
  }
}

/** Takes the next bytes of a track. The caller may reuse their memory once the promise resolves. */
export type TakeBytes = (track: string, bytes: Uint8Array) => Promise<void>

export interface StoredPiece {
  readonly index: number
  readonly keepDays: number | null
  /** Makes the piece, and passes on the bytes of its tracks as they are made. */
  readonly make: (take: TakeBytes) => Promise<readonly MadeTrack[]>
}

export const initKey = ({ archiveId, format, edition }: PieceFolder, track: string) =>
  keys.published(archiveId, format, edition, `${track}-init.mp4`)

export const mediaKey = ({ archiveId, format, edition }: PieceFolder, track: string, index: number) =>
  keys.published(archiveId, format, edition, `${track}-${index}.mp4`)

const indexKey = ({ archiveId, format, edition }: PieceFolder, index: number) =>
  keys.published(archiveId, format, edition, `index-${index}.json`)

/**
 * Stores a piece while it is made: one object for each track that has bytes, then an index of their segments. Init segments,
 * which all pieces share, are stored with the first piece.
 * @throws {@link StorageError} when the bucket fails; errors of `make` unchanged, after which none of its objects is stored
 */
export async function storePiece(storage: Storage, folder: PieceFolder, { index, keepDays, make }: StoredPiece) {
  const tags = tagsFor(keepDays)
  const uploads = new Map<string, ReturnType<typeof startUpload>>()
  const startUpload = (track: string) => {
    const handover = createHandover()
    const done = storage.putStream(mediaKey(folder, track, index), handover.body, 'video/mp4', tags)
    done.catch(() => {}) // awaited by `take`, and at the end
    return { handover, done }
  }
  const take: TakeBytes = async (track, bytes) => {
    const upload = uploads.get(track) ?? startUpload(track)
    uploads.set(track, upload)
    await Promise.race([upload.handover.give(bytes), upload.done])
  }
  let made: readonly MadeTrack[]
  try {
    made = await make(take)
  } catch (error) {
    for (const { handover } of uploads.values()) handover.fail(error)
    await Promise.allSettled([...uploads.values()].map(({ done }) => done))
    throw error
  }
  for (const { handover } of uploads.values()) handover.end()
  const tracks: IndexedTrack[] = []
  for (const { init, index: ranges, ...track } of made) {
    if (index === 0) await storage.put(initKey(folder, track.name), init, 'video/mp4', tags)
    const media = (await uploads.get(track.name)?.done) ?? null
    const sha256 = createHash('sha256').update(init).digest('hex')
    const { segments, iframes } = ranges
    tracks.push({
      ...track,
      init: { size: init.length, sha256 },
      media,
      segments: [...segments],
      iframes: [...iframes],
    })
  }
  const document: PieceIndexDocument = { version: 1, tracks }
  await storage.put(indexKey(folder, index), JSON.stringify(document), 'application/json', tags)
}

/** Reads a piece's index. @throws {@link TaskInputError} when it was not stored, {@link StorageError} when the bucket fails */
export async function readPiece(storage: Storage, folder: PieceFolder, index: number): Promise<PieceIndexDocument> {
  const key = indexKey(folder, index)
  const found = await storage.readDocument(key)
  if (!found) throw new TaskInputError(`${key} is missing. Rebuild the recording.`)
  return pieceIndex.parse(found.value)
}
