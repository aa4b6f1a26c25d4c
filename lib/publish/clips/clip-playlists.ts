import { clipMasterPlaylist, clipPlaylist } from '../../media/hls/playlists/clip-playlist.ts'
import type { ClipRecord } from '../manifest/clip.ts'
import type { Manifest } from '../manifest/manifest.ts'

/** Limits a stored playlist of a recording to a clip. @param key of the playlist */
export function limitToClip(playlist: string, key: string, { files, createdAt }: Manifest, clip: ClipRecord): string {
  const isMaster = files.some((file) => file.role === 'hls' && file.key === key)
  return isMaster ? clipMasterPlaylist(playlist) : clipPlaylist(playlist, clip, Date.parse(createdAt))
}
