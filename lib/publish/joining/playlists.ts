import { posix } from 'node:path'
import type { Storage } from '../../aws/storage/storage.ts'
import { type AudioEntry, type VideoEntry, writeMasterPlaylist } from '../../media/hls/playlists/master-playlist.ts'
import type { Rendition } from '../../media/hls/playlists/media-playlist.ts'
import { withUris } from '../../media/hls/playlists/uris.ts'
import { asOneRendition, type Copy, findTimelineStarts, joinTracks } from '../../media/joining/join-tracks.ts'
import { writeJoinedIframePlaylist, writeJoinedPlaylist } from '../../media/joining/joined-playlist.ts'
import type { Cut } from '../../media/joining/plan-cuts.ts'
import { keys } from '../../show/state/keys.ts'
import { editionOf } from '../editions.ts'
import type { FileRole, Manifest } from '../manifest/manifest.ts'
import { publishFile } from '../published-files.ts'
import { commonTracks, type Part } from './fitting-parts.ts'
import { storeNewObjects } from './new-objects.ts'

/** The edition that the files of a joined recording belong to. */
export interface Place {
  readonly archiveId: string
  readonly edition: string
  readonly keepDays: number | null
}

type Files = Manifest['files']

/**
 * Publishes playlists that play all parts as one recording, and the objects that are new in it. Returns the rows of every file
 * that a player loads, including the parts' own; the master playlist is last.
 */
export async function publishJoinedPlaylists(
  parts: readonly Part[],
  cuts: readonly Cut[],
  { archiveId, edition, keepDays }: Place,
  storage: Storage,
): Promise<Files> {
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
  for (const tracks of common) {
    const [{ name, codec, picture } = { name: '', codec: '', picture: undefined }] = tracks
    const { runs, objects } = await joinTracks(tracks, cuts, {
      startsTimeline,
      copyUri: (part, copy) => copyKey(copiesOf(archiveId, archiveIdOf(parts, part)), name, copy),
      seamUri: (part, seam) => keyOf(`${name}-seam-${part}-${seam}.mp4`),
    })
    own.push(...(await storeNewObjects(objects, keepDays, storage)))
    for (const uri of urisOf(runs)) shared.add(uri)
    const rendition = asOneRendition(runs)
    const uri = `${name}.m3u8`
    own.push(await publishPlaylist('hls-media', uri, withUris(writeJoinedPlaylist(runs), uriOf)))
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

const archiveIdOf = (parts: readonly Part[], part: number) => parts[part]?.manifest.archiveId ?? ''

/** The key does not depend on the other parts: a copy made for two parts serves for three. */
const copyKey = (folder: string, name: string, { uri, ...recipe }: Copy) =>
  `${folder}${name}-${editionOf({ etag: uri, recipe: { recipe: COPY_RECIPE, ...recipe } })}.mp4`

const urisOf = (runs: readonly Rendition[]) =>
  runs.flatMap(({ initUri, pieces }) => [initUri, ...pieces.map(({ uri }) => uri)])
