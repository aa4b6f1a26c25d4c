import { type Playlist, rangeOf, unquoted } from './parse.ts'
import { failing, numberOf, type Rule, secondsOf, tagOf, tagsOf } from './rule.ts'

const FRAGMENTED = /\.(?:m4s|mp4|m4v|m4a|cmfv|cmfa)(?:[?#]|$)/
/** ISO 8601 with a time zone. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/

const firstSegmentLine = ({ segments, tags }: Playlist) =>
  Math.min(segments[0]?.line ?? Infinity, tags.find(({ name }) => name === 'EXT-X-PART')?.line ?? Infinity)

/** Rules of the tags of a media playlist and of its segments. */
export const mediaRules: readonly Rule[] = [
  {
    section: '3.1.2',
    says: 'a segment of fragmented MPEG-4 has an EXT-X-MAP',
    breaches: ({ segments, skipped }) =>
      segments
        .filter(({ uri, map }) => FRAGMENTED.test(uri) && !map && skipped === 0)
        .map(({ line, uri }) => `line ${line}, ${uri}`),
  },
  {
    section: '4.4.3.1',
    says: 'EXT-X-TARGETDURATION is there, an integer above zero',
    breaches: (playlist) => {
      const value = tagOf(playlist, 'EXT-X-TARGETDURATION')?.value
      return /^[1-9]\d*$/.test(value ?? '') ? [] : [`it is ${value ?? 'missing'}`]
    },
  },
  {
    section: '4.4.3.1',
    says: 'the rounded duration of a segment is at most the target duration',
    breaches: (playlist) => {
      const target = numberOf(playlist, 'EXT-X-TARGETDURATION')
      return playlist.segments
        .filter(({ duration }) => Math.round(duration) > target)
        .map(({ line, duration }) => `line ${line}, ${duration} s of ${target} s`)
    },
  },
  {
    section: '4.4.3.2',
    says: 'EXT-X-MEDIA-SEQUENCE is an integer before the first segment',
    breaches: (playlist) =>
      failing(
        tagsOf(playlist, 'EXT-X-MEDIA-SEQUENCE'),
        ({ value, line }) => /^\d+$/.test(value) && line < firstSegmentLine(playlist),
      ),
  },
  {
    section: '4.4.3.3',
    says: 'EXT-X-DISCONTINUITY-SEQUENCE is an integer before the first segment and any EXT-X-DISCONTINUITY',
    breaches: (playlist) => {
      const first = Math.min(firstSegmentLine(playlist), tagOf(playlist, 'EXT-X-DISCONTINUITY')?.line ?? Infinity)
      return failing(
        tagsOf(playlist, 'EXT-X-DISCONTINUITY-SEQUENCE'),
        ({ value, line }) => /^\d+$/.test(value) && line < first,
      )
    },
  },
  {
    section: '4.4.3.5',
    says: 'EXT-X-PLAYLIST-TYPE is EVENT or VOD',
    breaches: (playlist) =>
      failing(tagsOf(playlist, 'EXT-X-PLAYLIST-TYPE'), ({ value }) => /^(EVENT|VOD)$/.test(value)),
  },
  {
    section: '6.2.1',
    says: 'a playlist with the final segment has EXT-X-ENDLIST, as every VOD playlist',
    breaches: (playlist) =>
      tagOf(playlist, 'EXT-X-PLAYLIST-TYPE')?.value === 'VOD' && !playlist.hasEnded ? ['it is missing'] : [],
  },
  {
    section: '6.2.2',
    says: 'a playlist from which segments were removed lasts at least three target durations, and has no type',
    breaches: (playlist) => {
      if (!(numberOf(playlist, 'EXT-X-MEDIA-SEQUENCE') > 0) || playlist.skipped > 0) return []
      const [target, lasts] = [numberOf(playlist, 'EXT-X-TARGETDURATION'), secondsOf(playlist.segments)]
      const isShort = !playlist.hasEnded && lasts < 3 * target
      const type = tagOf(playlist, 'EXT-X-PLAYLIST-TYPE')?.value
      return [...(isShort ? [`it lasts ${lasts} s`] : []), ...(type ? [`its type is ${type}`] : [])]
    },
  },
  {
    section: '4.4.4.1',
    says: 'every segment has one EXTINF, and every EXTINF a segment',
    breaches: (playlist) => {
      let next = 0
      const owned = tagsOf(playlist, 'EXTINF').map(({ line }) => {
        while ((playlist.segments[next]?.line ?? Infinity) < line) next++
        return playlist.segments[next]?.line
      })
      const owners = Map.groupBy(owned, (line) => line)
      return [
        ...playlist.segments
          .filter(({ line }) => owners.get(line)?.length !== 1)
          .map(({ line }) => `the segment of line ${line}`),
        ...owned.filter((line) => line === undefined).map(() => 'the last EXTINF'),
      ]
    },
  },
  {
    section: '4.4.4.1',
    says: 'EXTINF has a decimal duration and a comma',
    breaches: (playlist) => failing(tagsOf(playlist, 'EXTINF'), ({ value }) => /^\d+(\.\d+)?,/.test(value)),
  },
  {
    section: '4.4.4.2',
    says: 'EXT-X-BYTERANGE has the form n[@o], and without o follows a range of the same resource',
    breaches: (playlist) => [
      ...failing(tagsOf(playlist, 'EXT-X-BYTERANGE'), ({ value }) => (rangeOf(value)?.length ?? 0) > 0),
      ...playlist.segments.flatMap(({ range, uri, line }, index) => {
        const before = playlist.segments[index - 1]
        const isOpen = range && range.offset === undefined && playlist.skipped === 0
        return isOpen && !(before?.range && before.uri === uri) ? [`line ${line}, ${uri}`] : []
      }),
    ],
  },
  {
    section: '4.4.4.4',
    says: 'EXT-X-KEY has a METHOD, and a URI unless it is NONE',
    breaches: (playlist) =>
      failing(tagsOf(playlist, 'EXT-X-KEY'), ({ attributes }) => {
        const method = attributes.get('METHOD')
        return method !== undefined && (method === 'NONE') === !attributes.has('URI')
      }),
  },
  {
    section: '4.4.4.5',
    says: 'EXT-X-MAP has a URI, and a BYTERANGE with an offset if any',
    breaches: (playlist) =>
      failing(tagsOf(playlist, 'EXT-X-MAP'), ({ attributes }) => {
        const range = attributes.get('BYTERANGE')
        return Boolean(unquoted(attributes.get('URI'))) && (!range || rangeOf(unquoted(range))?.offset !== undefined)
      }),
  },
  {
    section: '4.4.4.6',
    says: 'EXT-X-PROGRAM-DATE-TIME is a date and time with a time zone',
    breaches: (playlist) =>
      failing(
        tagsOf(playlist, 'EXT-X-PROGRAM-DATE-TIME'),
        ({ value }) => DATE.test(value) && Number.isFinite(Date.parse(value)),
      ),
  },
  {
    section: '4.4.4.8',
    says: 'EXT-X-BITRATE is an integer',
    breaches: (playlist) => failing(tagsOf(playlist, 'EXT-X-BITRATE'), ({ value }) => /^\d+$/.test(value)),
  },
  {
    section: '4.4.5.1',
    says: 'EXT-X-DATERANGE has an ID, and a START-DATE',
    breaches: (playlist) =>
      failing(
        tagsOf(playlist, 'EXT-X-DATERANGE'),
        ({ attributes }) =>
          Boolean(unquoted(attributes.get('ID'))) && DATE.test(unquoted(attributes.get('START-DATE')) ?? ''),
      ),
  },
]
