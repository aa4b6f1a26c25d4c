import type { Format } from '../../show/document/publishing.ts'
import type { FileRole } from './manifest.ts'

/** Roles of the files of each format. Renditions share playlists with the recording itself. */
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
