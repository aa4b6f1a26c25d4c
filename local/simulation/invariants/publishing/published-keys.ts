import type { Evidence } from '../evidence.ts'
import { manifestIn, type SeenManifest } from './archive-files.ts'

/** Matches the names of the files of each role. Browsers and downloads go by their ends. */
const NAMES: Readonly<Record<string, RegExp>> = {
  poster: /^poster\.jpg$/,
  faststart: /^recording\.mp4$/,
  composite: /^composite\.mp4$/,
  hls: /^master\.m3u8$/,
  'hls-media': /\.(mp4|m3u8)$/,
  sprite: /^sprite-\d+\.jpg$/,
  thumbnails: /^thumbnails\.vtt$/,
  audio: /^audio\.m4a$/,
  waveform: /^waveform\.json$/,
  chapters: /^chapters\.vtt$/,
  captions: /^[A-Za-z0-9-]+\.vtt$/,
}

/** Matches the key of a file that is published in an edition of a recording. */
const EDITION = /^recordings\/([^/]+)\/[a-z]+\/[0-9a-f]{12}\/([^/]+)$/
const MANIFEST = /^recordings\/([^/]+)\/manifest\.json$/

/**
 * Checks that each file of a manifest has the name of its role, in an edition of its recording: another publish must not replace
 * it. A joined recording has files of its parts. The source may be its own faststart copy, and so may a composite.
 */
export const publishedKeys = ({ objects }: Pick<Evidence, 'objects'>): string[] =>
  [...objects.keys()].flatMap((key) => {
    const [, archiveId] = MANIFEST.exec(key) ?? []
    const manifest = archiveId === undefined ? undefined : manifestIn(objects, archiveId)
    return manifest ? problemsOf(manifest) : []
  })

function problemsOf({ archiveId, parts = [], source, files }: SeenManifest): string[] {
  const owners = [archiveId, ...parts]
  const composite = files.find(({ role }) => role === 'composite')?.key
  return files.flatMap(({ role, key }) => {
    if (role === 'faststart' && (key === source.key || key === composite)) return []
    const [, of = '', name = ''] = EDITION.exec(key) ?? []
    const isOwn = owners.includes(of) && NAMES[role]?.test(name)
    return isOwn ? [] : [`the recording ${archiveId} has ${key} as its ${role}`]
  })
}
