import type { Storage, StoredObject } from '../../aws/storage/storage.ts'
import type { PublishedTrack } from '../../media/joining/published-track.ts'
import { TaskInputError } from '../../tasks/errors.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { IndexedTrack } from '../manifest/piece-index.ts'
import { initKey, mediaKey, type PieceFolder, readPiece } from '../pieces.ts'

/** A track of a part, or a rendition of its video; its URIs are keys of objects. */
export interface PartTrack extends PublishedTrack, Pick<IndexedTrack, 'name' | 'codec' | 'picture'> {
  /** SHA-256 of its init segment. */
  readonly init: string
}

/** Returns the tracks that a manifest lists: video and audio as recorded, then the renditions, the smallest last. */
export async function tracksOf(manifest: Manifest, storage: Storage): Promise<PartTrack[]> {
  const read = reader(storage)
  const folders = foldersOf(manifest)
  const tracks = await Promise.all(
    [...folders].map(async ([name, pieces]) => {
      const folder = folderOf(name)
      const documents = await Promise.all(
        Array.from({ length: pieces }, (_, index) => readPiece(storage, folder, index)),
      )
      return (documents[0]?.tracks ?? []).map(({ name, codec, picture, init }): PartTrack => {
        const indexes = documents.map(({ tracks }) => tracks.find((track) => track.name === name))
        const stored = indexes.flatMap((index, piece) =>
          index?.media ? [{ uri: mediaKey(folder, name, piece), index }] : [],
        )
        return {
          name,
          codec,
          ...(picture && { picture }),
          init: init.sha256,
          type: picture ? 'video' : 'audio',
          rendition: { initUri: initKey(folder, name), pieces: stored },
          read,
        }
      })
    }),
  )
  return tracks.flat()
}

/** Returns the number of pieces by `<archive id>/<format>/<edition>`, the recorded tracks before the renditions. */
function foldersOf({ archiveId, files }: Manifest): Map<string, number> {
  const pattern = new RegExp(`^recordings/(${archiveId}/(?:hls|renditions)/[0-9a-f]+)/[0-9a-z]+-(\\d+)\\.mp4$`)
  const found = new Map<string, number>()
  for (const { role, key } of files) {
    const [, folder, piece] = (role === 'hls-media' && pattern.exec(key)) || []
    if (folder) found.set(folder, Math.max(found.get(folder) ?? 0, Number(piece) + 1))
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function folderOf(path: string): PieceFolder {
  const [archiveId = '', format, edition = ''] = path.split('/')
  return { archiveId, format: format === 'renditions' ? 'renditions' : 'hls', edition }
}

function reader(storage: Storage): PublishedTrack['read'] {
  const opened = new Map<string, Promise<StoredObject>>()
  const open = async (key: string) => {
    const etag = await storage.etagOf(key)
    if (etag === undefined) throw new TaskInputError(`${key} is missing. Rebuild its recording.`)
    return storage.open(key, etag)
  }
  return async (key, range) => {
    const opening = opened.get(key) ?? open(key)
    opened.set(key, opening)
    const object = await opening
    return range ? object.read(range.offset, range.offset + range.size) : object.read(0, object.size)
  }
}
