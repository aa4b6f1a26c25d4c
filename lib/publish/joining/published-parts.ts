import type { Storage } from '../../aws/storage/storage.ts'
import { type PublishedTrack, trackEnd } from '../../media/joining/published-track.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { IndexedTrack } from '../manifest/piece-index.ts'
import { initKey, mediaKey, type PieceFolder, readPiece } from '../pieces.ts'
import { readObjectsOnce } from '../read-objects.ts'

/** A track of a part, or a rendition of its video; its URIs are keys of objects. */
export interface PartTrack extends PublishedTrack, Pick<IndexedTrack, 'name' | 'codec' | 'picture'> {
  /** SHA-256 of its init segment. */
  readonly init: string
}

/** Returns the tracks that a manifest lists: video and audio as recorded, then the renditions, the smallest last. */
export async function tracksOf(manifest: Manifest, storage: Storage): Promise<PartTrack[]> {
  const read = readObjectsOnce(storage)
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

export interface PublishedPart {
  readonly manifest: Manifest
  readonly tracks: readonly PartTrack[]
}

/** Returns the leading parts that can be played as one: their tracks as recorded have the same sizes and codecs. */
export async function fittingParts(manifests: readonly Manifest[], storage: Storage) {
  const parts = await Promise.all(
    manifests.map(async (manifest) => ({ manifest, tracks: await tracksOf(manifest, storage) })),
  )
  const [first] = parts
  const other = parts.findIndex(({ tracks }) => kindOf(tracks) !== kindOf(first?.tracks ?? []))
  if (other < 0) return { parts, message: null }
  return {
    parts: parts.slice(0, other),
    message: `Part ${other + 1} has other video or audio than part 1, so it and the parts after it are not joined.`,
  }
}

/** Returns the properties of the recorded tracks for which a player would have to be set up again. */
const kindOf = (tracks: readonly PartTrack[]) =>
  tracks
    .filter(({ name }) => name === 'video' || name === 'audio')
    .map(formOf)
    .join()

const formOf = ({ name, codec, picture }: PartTrack) =>
  `${name} ${codec.split('.')[0]} ${picture ? `${picture.width}x${picture.height}` : ''}`

/** Returns each track that all parts have in the same form, one entry per part. */
export function commonTracks(parts: readonly PublishedPart[]): PartTrack[][] {
  return (parts[0]?.tracks ?? []).flatMap((track) => {
    const alike = parts.flatMap(({ tracks }) => tracks.find((other) => formOf(other) === formOf(track)) ?? [])
    return alike.length === parts.length ? [sharingInit(alike)] : []
  })
}

/** Names equal init segments by one URI, so that no player is set up again without need. */
const sharingInit = (tracks: readonly PartTrack[]): PartTrack[] =>
  tracks.map((track) => {
    const same = tracks.find(({ init }) => init === track.init) ?? track
    return { ...track, rendition: { ...track.rendition, initUri: same.rendition.initUri } }
  })

/** Returns the end of a part in seconds: of its video, or of its audio where it has no video. */
export function endOfPart({ tracks }: PublishedPart): number {
  const leading = tracks.find(({ type }) => type === 'video') ?? tracks[0]
  return leading ? trackEnd(leading) : 0
}
