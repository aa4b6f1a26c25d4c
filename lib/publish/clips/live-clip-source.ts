import { buffer } from 'node:stream/consumers'
import { openLiveSource } from '../../media/clips/live-source.ts'
import { type LiveList, readLiveList } from '../../media/hls/playlists/live-clip-playlist.ts'
import { MediaError } from '../../media/media-error.ts'
import type { Services } from '../../services.ts'
import { keys } from '../../show/state/keys.ts'
import { clockSpanOf, LIVE_PLAYLIST, type LiveClipRecord } from '../manifest/clip.ts'
import type { FoundSource } from './clip-source.ts'
import { bestPlaylists } from './live-broadcast.ts'

/**
 * Opens the segments of a broadcast that hold a clip. They are downloaded from the platform.
 * @throws {@link MediaError} when a playlist of the clip is missing, or the segments are damaged
 */
export async function findLiveSource(
  clip: LiveClipRecord,
  { storage, download }: Pick<Services, 'storage' | 'download'>,
): Promise<FoundSource> {
  const read = async (name: string) => {
    const playlist = await storage.readText(keys.published(clip.archiveId, 'clips', clip.clipId, name))
    if (playlist === undefined) throw new MediaError('The playlists of the clip are missing.')
    return playlist
  }
  const listOf = async (name: string): Promise<LiveList> => {
    const list = readLiveList(await read(name))
    if (!list) throw new MediaError('The playlists of the clip cannot be read.')
    return list
  }
  const { main, audio } = bestPlaylists(await read(LIVE_PLAYLIST))
  const lists = { main: await listOf(main), ...(audio !== undefined && { audio: await listOf(audio) }) }
  return openLiveSource(lists, clockSpanOf(clip), async (uri, range) => buffer(await download(uri, { range })))
}
