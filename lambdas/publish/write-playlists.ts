import { posix } from 'node:path'
import { type AudioEntry, type VideoEntry, writeMasterPlaylist } from '../../lib/media/hls/playlists/master-playlist.ts'
import {
  type Rendition,
  writeIframePlaylist,
  writeMediaPlaylist,
} from '../../lib/media/hls/playlists/media-playlist.ts'
import { MediaError } from '../../lib/media/media-error.ts'
import { editionOf } from '../../lib/publish/editions.ts'
import type { IndexedTrack } from '../../lib/publish/manifest/piece-index.ts'
import { initKey, mediaKey, type PieceFolder, readPiece } from '../../lib/publish/pieces.ts'
import { publishFile } from '../../lib/publish/published-files.ts'
import { skipIfDamaged } from '../../lib/publish/skip-damaged.ts'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** To be counted up when the same pieces would give other playlists. */
const RECIPE = 1

type Files = TaskOutput<'writePlaylists'>['files']

/** A track of all pieces: the document of each, in their order. */
interface Track {
  readonly folder: PieceFolder
  readonly name: string
  readonly parts: readonly IndexedTrack[]
}

export const writePlaylists = (input: TaskInput<'writePlaylists'>, services: Services) =>
  skipIfDamaged<TaskOutput<'writePlaylists'>>(
    input.editions.renditions
      ? { format: 'renditions', what: 'smaller sizes', of: 'picture' }
      : { format: 'hls', what: 'HLS', of: 'recording' },
    { files: [] },
    () => playlistsOf(input, services),
  )

async function playlistsOf(
  { etag, archiveId, keepDays, facts, pieces, editions }: TaskInput<'writePlaylists'>,
  { storage }: Services,
): Promise<TaskOutput<'writePlaylists'>> {
  const recipe = { recipe: RECIPE, pieces, editions, frameRate: facts.video?.frameRate ?? 0 }
  const edition = editionOf({ etag, recipe })
  const keyOf = (file: string) => keys.published(archiveId, 'playlists', edition, file)
  /** As the playlists name it: they lie side by side. */
  const uriOf = (key: string) => posix.relative(posix.dirname(keyOf('master.m3u8')), key)
  const renditionOf = ({ folder, name, parts }: Track): Rendition => ({
    initUri: uriOf(initKey(folder, name)),
    pieces: parts.map((part, index) => ({ uri: uriOf(mediaKey(folder, name, index)), index: part })),
  })

  const tracks = [
    ...(await tracksIn({ archiveId, format: 'hls', edition: editions.hls })),
    ...(editions.renditions ? await tracksIn({ archiveId, format: 'renditions', edition: editions.renditions }) : []),
  ]
  const files: Files = tracks.flatMap(filesOf)
  const put = async (role: Files[number]['role'], file: string, text: string) => {
    const contentType = 'application/vnd.apple.mpegurl'
    files.push(await publishFile(storage, { role, key: keyOf(file), content: text, contentType, keepDays }))
  }

  const videos: VideoEntry[] = []
  let audio: AudioEntry | null = null
  for (const track of tracks) {
    const rendition = renditionOf(track)
    const uri = `${track.name}.m3u8`
    const { codec, picture } = track.parts[0] as IndexedTrack
    await put('hls-media', uri, writeMediaPlaylist(rendition))
    if (!picture) {
      audio = { uri, codec, channels: facts.audio?.channels ?? 2, rendition }
      continue
    }
    const iframesUri = `${track.name}-iframes.m3u8`
    await put('hls-media', iframesUri, writeIframePlaylist(rendition))
    videos.push({ uri, iframesUri, codec, ...picture, frameRate: facts.video?.frameRate ?? 0, rendition })
  }
  await put('hls', 'master.m3u8', writeMasterPlaylist({ videos, audio }))
  return { files }

  async function tracksIn(folder: PieceFolder): Promise<Track[]> {
    const documents = await Promise.all(Array.from({ length: pieces }, (_, index) => readPiece(storage, folder, index)))
    return (documents[0]?.tracks ?? []).map(({ name, init }) => {
      const parts = documents.flatMap((document) => document.tracks.filter((track) => track.name === name))
      if (parts.length !== pieces || parts.some((part) => part.init.sha256 !== init.sha256)) {
        throw new MediaError(`The pieces of ${name} do not fit together: they begin with different init segments.`)
      }
      return { folder, name, parts }
    })
  }
}

function filesOf({ folder, name, parts }: Track): Files {
  const row = (key: string, of: { size: number; sha256: string }): Files[number] => ({ role: 'hls-media', key, ...of })
  return [
    row(initKey(folder, name), (parts[0] as IndexedTrack).init),
    ...parts.flatMap(({ media }, index) => (media ? row(mediaKey(folder, name, index), media) : [])),
  ]
}

export const handler = taskHandler('writePlaylists', writePlaylists)
