import { posix } from 'node:path'
import { z } from 'zod'
import type { Storage } from '../../aws/storage/storage.ts'
import { type AudioEntry, type VideoEntry, writeMasterPlaylist } from '../../media/hls/playlists/master-playlist.ts'
import { commonTarget, type Rendition } from '../../media/hls/playlists/media-playlist.ts'
import { withUris } from '../../media/hls/playlists/uris.ts'
import {
  asOneRendition,
  type Copy,
  findTimelineStarts,
  joinTracks,
  type NewObject,
} from '../../media/joining/join-tracks.ts'
import { writeJoinedIframePlaylist, writeJoinedPlaylist } from '../../media/joining/joined-playlist.ts'
import type { Cut } from '../../media/joining/plan-cuts.ts'
import { keys } from '../../show/state/keys.ts'
import { editionOf } from '../editions.ts'
import { type FileRole, type Manifest, tagsFor } from '../manifest/manifest.ts'
import { mediaOf, type WithMedia } from '../media-functions.ts'
import { publishFile } from '../published-files.ts'
import { commonTracks, type PublishedPart } from './published-parts.ts'

/** The edition that the files of a joined recording belong to. */
export interface EditionPlace {
  readonly archiveId: string
  readonly edition: string
  readonly keepDays: number | null
}

type Files = Manifest['files']

/** Publishes playlists and new objects of a joined recording. Returns the row of every file; the master playlist is last. */
export async function publishJoinedPlaylists(
  parts: readonly PublishedPart[],
  cuts: readonly Cut[],
  { archiveId, edition, keepDays }: EditionPlace,
  { storage, media }: WithMedia & { readonly storage: Storage },
): Promise<Files> {
  const { joinTracks: joinEach } = mediaOf({ media }, { joinTracks })
  const keyOf = (file: string) => keys.published(archiveId, 'joined', edition, file)
  const uriOf = (key: string) => posix.relative(posix.dirname(keyOf('master.m3u8')), key)
  const publish = (role: FileRole, key: string, content: Buffer | string, contentType: string) =>
    publishFile(storage, { role, key, content, contentType, keepDays })
  const publishPlaylist = (role: FileRole, file: string, text: string) =>
    publish(role, keyOf(file), text, 'application/vnd.apple.mpegurl')

  const shared = new Set<string>()
  const own: Files = []
  const videos: VideoEntry[] = []
  let audio: AudioEntry | null = null
  const first = parts[0]?.manifest
  const common = commonTracks(parts)
  const startsTimeline = findTimelineStarts(common)
  const joined = []
  for (const tracks of common) {
    const [{ name, codec, picture } = { name: '', codec: '', picture: undefined }] = tracks
    const { runs, objects } = await joinEach(tracks, cuts, {
      startsTimeline,
      copyUri: (part, copy) => copyKey(copiesOf(archiveId, archiveIdOf(parts, part)), name, copy),
      seamUri: (part, seam) => keyOf(`${name}-seam-${part}-${seam}.mp4`),
    })
    own.push(...(await storeNewObjects(objects, keepDays, storage)))
    for (const uri of urisOf(runs)) shared.add(uri)
    joined.push({ name, codec, picture, runs, rendition: asOneRendition(runs) })
  }
  const target = commonTarget(joined.map(({ rendition }) => rendition))
  for (const { name, codec, picture, runs, rendition } of joined) {
    const uri = `${name}.m3u8`
    own.push(await publishPlaylist('hls-media', uri, withUris(writeJoinedPlaylist(runs, target), uriOf)))
    if (!picture) {
      audio = { uri, codec, channels: first?.audio?.channels ?? 2, rendition }
      continue
    }
    const iframesUri = `${name}-iframes.m3u8`
    own.push(await publishPlaylist('hls-media', iframesUri, withUris(writeJoinedIframePlaylist(runs), uriOf)))
    videos.push({ uri, iframesUri, codec, ...picture, frameRate: first?.video?.frameRate ?? 0, rendition })
  }
  const master = await publishPlaylist('hls', 'master.m3u8', writeMasterPlaylist({ videos, audio }))
  const rows = parts.flatMap(({ manifest }) => manifest.files).filter(({ key }) => shared.has(key))
  return [...rows, ...own, master]
}

/** Is raised when a copy would have other bytes. */
const COPY_RECIPE = 1

/** Returns the prefix of the copies of a part that a joined recording plays. */
export const copiesOf = (archiveId: string, part: string) => `${keys.recording(archiveId)}copies/${part}/`

const archiveIdOf = (parts: readonly PublishedPart[], part: number) => parts[part]?.manifest.archiveId ?? ''

/** The key does not depend on the other parts: a copy made for two parts serves for three. */
const copyKey = (folder: string, name: string, { uri, ...recipe }: Copy) =>
  `${folder}${name}-${editionOf({ etag: uri, recipe: { recipe: COPY_RECIPE, ...recipe } })}.mp4`

const urisOf = (runs: readonly Rendition[]) =>
  runs.flatMap(({ initUri, pieces }) => [initUri, ...pieces.map(({ uri }) => uri)])

type Row = Manifest['files'][number]

/** The document that is stored beside an object. */
const stored = z.object({ size: z.int(), sha256: z.string() })

/** Uploads in parallel: each needs about 40 MB of memory. */
const AT_ONCE = 4

/**
 * Stores the new objects of a joined recording and returns their rows in the same order. An object with a document beside it
 * was stored by an interrupted attempt or for fewer parts. It is not stored again, since its key identifies its content.
 */
export async function storeNewObjects(
  objects: readonly NewObject[],
  keepDays: number | null,
  storage: Storage,
): Promise<Row[]> {
  const rows: Row[] = []
  const left = inTurn(objects)
  const work = async () => {
    for (const [index, object] of left) rows[index] = await storeOnce(object, keepDays, storage)
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work)) // wait for all: no upload continues after a failure is thrown
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return rows
}

/** Workers share one generator: when one of them fails, the generator returns for all. */
function* inTurn(objects: readonly NewObject[]) {
  yield* objects.entries()
}

async function storeOnce({ uri: key, content }: NewObject, keepDays: number | null, storage: Storage): Promise<Row> {
  const tags = tagsFor(keepDays)
  const noteKey = `${key}.json`
  const note = await storage.readDocument(noteKey)
  const found = note && stored.parse(note.value)
  if (found && (await storage.sizeOf(key)) === found.size) {
    for (const one of [key, noteKey]) await storage.tag(one, tags)
    return { role: 'hls-media', key, ...found }
  }
  const made = await storage.putStream(key, content(), 'video/mp4', tags)
  await storage.put(noteKey, JSON.stringify(made), 'application/json', tags)
  return { role: 'hls-media', key, ...made }
}
