import type { Format } from '../../show/document/publishing.ts'
import type { FileRole } from './manifest.ts'

/** What the files of each format are for. Renditions are in the same playlists as the recording itself. */
export const rolesOf = {
  poster: ['poster'],
  faststart: ['faststart'],
  hls: ['hls', 'hls-media'],
  renditions: ['hls', 'hls-media'],
  thumbnails: ['sprite', 'thumbnails'],
  audio: ['audio', 'waveform'],
  chapters: ['chapters'],
  composite: ['composite'],
} as const satisfies Record<Format, readonly FileRole[]>
