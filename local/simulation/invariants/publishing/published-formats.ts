import type { Format } from '../../../../lib/show/document/publishing.ts'
import type { ArchiveFile, SeenManifest } from './archive-files.ts'
import { expectedFormats } from './expected-formats.ts'

/** Roles of the files by which a format is recognized. */
const ROLES = {
  poster: ['poster'],
  faststart: ['faststart'],
  hls: ['hls', 'hls-media'],
  thumbnails: ['sprite', 'thumbnails'],
  audio: ['audio', 'waveform'],
  chapters: ['chapters'],
  composite: ['composite'],
} as const satisfies Partial<Record<Format, readonly string[]>>

/** Formats that are made of decoded pictures. */
const OF_PICTURES: ReadonlySet<Format> = new Set(['poster', 'thumbnails', 'renditions'])

/**
 * Compares the formats of a complete manifest with those that were ordered and can be made.
 * @param isUndecoded true for a recording whose last publish could decode no picture. It keeps the earlier formats, and reports them as missing
 */
export function problemsOfFormats(
  { files, missing = [], message = '' }: SeenManifest,
  facts: ArchiveFile['facts'],
  wanted: readonly Format[],
  isUndecoded = false,
): string[] {
  const has = (format: Format) =>
    format === 'renditions'
      ? files.some(({ key }) => key.includes('/renditions/'))
      : ROLES[format].every((role) => files.some((file) => file.role === role))
  const expected = facts ? expectedFormats(facts, wanted) : new Map()
  const problems = [...expected].flatMap(([format, outcome]) => {
    const isMissing = missing.some((one) => one.format === format)
    if (outcome === 'optional') return []
    if (has(format) !== (outcome === 'made')) return [has(format) ? `has ${format}` : `has no ${format}`]
    const isExpected = outcome === 'missing' || (outcome === 'made' && isUndecoded && OF_PICTURES.has(format))
    if (isMissing !== isExpected)
      return [isMissing ? `reports ${format} as missing` : `does not report that ${format} is missing`]
    return []
  })
  const silent = missing.filter(({ problem }) => !message.includes(problem))
  const formats = Object.keys(ROLES) as (keyof typeof ROLES)[]
  const unwanted = formats.filter((format) => !expected.has(format) && has(format))
  return [
    ...problems,
    ...silent.map(({ format }) => `does not explain in its message that ${format} is missing`),
    ...unwanted.map((format) => `has ${format}, which was not ordered`),
  ]
}
