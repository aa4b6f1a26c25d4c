import { keys } from '../../show/state/keys.ts'
import { LIVE_PLAYLIST, type LiveClipRecord } from '../manifest/clip.ts'
import type { Manifest } from '../manifest/manifest.ts'

/** Returns what the watch page of a clip of a live show reads in place of the manifest of a recording. */
export function manifestOfLive({ archiveId, clipId, live }: LiveClipRecord, page: Manifest['page']): Manifest {
  const { showId, broadcast: name, part, startedAt, access, picture } = live
  const playlist = keys.published(archiveId, 'clips', clipId, LIVE_PLAYLIST)
  return {
    ...{ version: 1, archiveId, createdAt: startedAt, show: { showId, name, part }, status: 'complete', access },
    ...(page && { page }),
    ...{ duration: null, video: { codec: 'h264', ...picture, frameRate: 30 }, audio: null },
    source: { key: '', size: 0, sha256: null },
    files: [{ role: 'hls', key: playlist, size: 0, sha256: null }],
  }
}
