import { posix } from 'node:path'
import { type AudioEntry, type VideoEntry, writeMasterPlaylist } from '../../media/hls/playlists/master-playlist.ts'
import {
  commonTarget,
  type Rendition,
  writeIframePlaylist,
  writeMediaPlaylist,
} from '../../media/hls/playlists/media-playlist.ts'
import { MediaError } from '../../media/media-error.ts'
import type { Services, TaskRun } from '../../services.ts'
import type { TaskInput, TaskOutput } from '../../tasks/tasks.ts'
import type { IndexedTrack } from '../manifest/piece-index.ts'
import { initKey, mediaKey, type PieceFolder, readPiece } from '../pieces.ts'
import { createEdition } from '../publish-task.ts'
import { skipIfDamaged } from '../skip-damaged.ts'

type Files = TaskOutput<'writePlaylists'>['files']

/** One track of a recording, with its entry in the index of each piece. */
interface Track {
  readonly folder: PieceFolder
  readonly name: string
  readonly parts: readonly IndexedTrack[]
}

/** Publishes the playlists of the pieces that are stored; a piece that is damaged makes HLS or its renditions missing. */
export const publishPlaylists: TaskRun<'writePlaylists', 'storage'> = (services, input) =>
  skipIfDamaged<TaskOutput<'writePlaylists'>>(
    input.editions.renditions
      ? { format: 'renditions', what: 'smaller sizes', of: 'picture' }
      : { format: 'hls', what: 'HLS', of: 'recording' },
    { files: [] },
    () => playlistsOf(input, services),
  )

async function playlistsOf(
  input: TaskInput<'writePlaylists'>,
  { storage }: Pick<Services, 'storage'>,
): Promise<TaskOutput<'writePlaylists'>> {
  const { archiveId, facts, pieces, editions } = input
  const parameters = { pieces, editions, frameRate: facts.video?.frameRate ?? 0 }
  const { keyOf, publish } = createEdition(input, storage, { folder: 'playlists', version: 2, parameters })
  /** Relative to the playlists, which share a folder. */
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
  const put = async (role: Files[number]['role'], name: string, content: string) => {
    files.push(await publish({ role, name, content, contentType: 'application/vnd.apple.mpegurl' }))
  }

  const videos: VideoEntry[] = []
  let audio: AudioEntry | null = null
  const renditions = tracks.map((track) => ({ track, rendition: renditionOf(track) }))
  const target = commonTarget(renditions.map(({ rendition }) => rendition))
  for (const { track, rendition } of renditions) {
    const uri = `${track.name}.m3u8`
    const { codec, picture } = track.parts[0] as IndexedTrack
    await put('hls-media', uri, writeMediaPlaylist(rendition, target))
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
        throw new MediaError(`The pieces of ${name} have different init segments, so they cannot be played as one.`)
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
