import { type Playlist, type Tag, unquoted } from './parse.ts'
import { numberOf, type Rule, secondsOf, tagOf, tagsOf } from './rule.ts'

/** A multivariant playlist with the media playlists that it names. */
export interface Presentation {
  readonly multivariant: Playlist
  /** By their URIs in the multivariant playlist. */
  readonly media: ReadonlyMap<string, Playlist>
}

/** Seconds by which renditions of the same content may differ at their ends: less than any segment. */
const ENDS = 0.5

const uriOf = ({ lines }: Playlist, tag: Tag) =>
  tag.name === 'EXT-X-STREAM-INF' ? lines[tag.line] : unquoted(tag.attributes.get('URI'))

/** Lists the media playlists that the tags of some names lead to. */
function namedBy({ multivariant, media }: Presentation, ...names: string[]): (readonly [string, Playlist])[] {
  const uris = new Set(
    names.flatMap((name) => tagsOf(multivariant, name)).flatMap((tag) => uriOf(multivariant, tag) ?? []),
  )
  return [...media].filter(([uri]) => uris.has(uri))
}

function differing<Value>(playlists: readonly (readonly [string, Playlist])[], of: (playlist: Playlist) => Value) {
  const [first] = playlists
  if (!first) return []
  return playlists
    .filter(([, playlist]) => of(playlist) !== of(first[1]))
    .map(([uri, playlist]) => `${uri} has ${of(playlist)}, and ${first[0]} has ${of(first[1])}`)
}

const typeOf = (playlist: Playlist) => tagOf(playlist, 'EXT-X-PLAYLIST-TYPE')?.value ?? 'none'
const isSubtitles = ({ multivariant }: Presentation, uri: string) =>
  tagsOf(multivariant, 'EXT-X-MEDIA').some(
    (tag) => tag.attributes.get('TYPE') === 'SUBTITLES' && uriOf(multivariant, tag) === uri,
  )

/** Returns the highest bit rate of a run of segments that lasts 0.5 to 1.5 target durations (4.4.6.2). */
function peakOf(playlist: Playlist): number {
  const target = numberOf(playlist, 'EXT-X-TARGETDURATION')
  const { segments } = playlist
  let peak = 0
  for (let first = 0; first < segments.length; first++)
    for (let seconds = 0, bytes = 0, last = first; last < segments.length; last++) {
      seconds += segments[last]?.duration ?? 0
      bytes += segments[last]?.range?.length ?? 0
      if (seconds > 1.5 * target) break
      if (seconds >= 0.5 * target) peak = Math.max(peak, (bytes * 8) / seconds)
    }
  return peak
}

/** Rules of the playlists of one presentation together. */
export const presentationRules: readonly Rule<Presentation>[] = [
  {
    section: '4.4.6',
    says: 'every playlist that is named is a media playlist',
    breaches: ({ multivariant, media }) =>
      ['EXT-X-STREAM-INF', 'EXT-X-I-FRAME-STREAM-INF', 'EXT-X-MEDIA']
        .flatMap((name) => tagsOf(multivariant, name))
        .flatMap((tag) => uriOf(multivariant, tag) ?? [])
        .filter((uri) => media.get(uri)?.isMultivariant !== false),
  },
  {
    section: '6.2.4',
    says: 'variants and renditions have one target duration, except VOD subtitles and I-frames',
    breaches: (presentation) => {
      const exempt = (uri: string, playlist: Playlist) =>
        typeOf(playlist) === 'VOD' &&
        (isSubtitles(presentation, uri) || tagOf(playlist, 'EXT-X-I-FRAMES-ONLY') !== undefined)
      const bound = [...presentation.media].filter(([uri, playlist]) => !exempt(uri, playlist))
      return differing(bound, (playlist) => numberOf(playlist, 'EXT-X-TARGETDURATION'))
    },
  },
  {
    section: '6.2.4',
    says: 'all media playlists have the same EXT-X-PLAYLIST-TYPE',
    breaches: ({ media }) => differing([...media], typeOf),
  },
  {
    section: '6.2.4',
    says: 'all or none of the media playlists have EXT-X-PROGRAM-DATE-TIME',
    breaches: ({ media }) =>
      differing([...media], (playlist) => tagOf(playlist, 'EXT-X-PROGRAM-DATE-TIME') !== undefined),
  },
  {
    section: '6.2.4',
    says: 'all media playlists have the same EXT-X-SERVER-CONTROL',
    breaches: ({ media }) => differing([...media], (playlist) => tagOf(playlist, 'EXT-X-SERVER-CONTROL')?.value),
  },
  {
    section: '6.2.4',
    says: 'finished variants and renditions last equally long, within the smallest target duration',
    breaches: (presentation) => {
      const all = namedBy(presentation, 'EXT-X-STREAM-INF', 'EXT-X-MEDIA')
      const smallest = Math.min(...all.map(([, playlist]) => numberOf(playlist, 'EXT-X-TARGETDURATION')))
      const longest = Math.max(...all.map(([, { segments }]) => secondsOf(segments)))
      return all
        .filter(([, { hasEnded, segments }]) => hasEnded && longest - secondsOf(segments) > smallest + ENDS)
        .map(([uri, { segments }]) => `${uri} lasts ${secondsOf(segments)} s of ${longest} s`)
    },
  },
  {
    section: '4.4.6.2',
    says: 'BANDWIDTH is no less than the peak of the variant’s segments, where their sizes are stated',
    breaches: (presentation) => {
      const { multivariant, media } = presentation
      return tagsOf(multivariant, 'EXT-X-STREAM-INF').flatMap((tag) => {
        const playlist = media.get(uriOf(multivariant, tag) ?? '')
        const peak = playlist ? peakOf(playlist) : 0
        const stated = Number(tag.attributes.get('BANDWIDTH'))
        return stated < Math.floor(peak) ? [`line ${tag.line} states ${stated}, and the peak is ${peak}`] : []
      })
    },
  },
]
