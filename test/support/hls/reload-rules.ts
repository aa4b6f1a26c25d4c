import type { Part, Playlist, Segment } from './parse.ts'
import { unquoted } from './parse.ts'
import { numberOf, type Rule, tagOf, tagsOf } from './rule.ts'

/** Finds a segment by its Media Sequence Number. Numbers follow one another. */
const segmentOf = ({ segments }: Playlist, number: number): Segment | undefined =>
  segments[number - (segments[0]?.number ?? 0)]

/** Two successive versions of one playlist; a delta update is resolved first, by {@link resolved}. */
export interface Reload {
  readonly before: Playlist
  readonly after: Playlist
}

/**
 * Returns the playlist that a delta update stands for.
 * @throws RangeError when the earlier version lacks a segment that the update skips
 */
export function resolved(before: Playlist, update: Playlist): Playlist {
  if (update.skipped === 0) return update
  const first = numberOf(update, 'EXT-X-MEDIA-SEQUENCE') || 0
  const skipped = Array.from({ length: update.skipped }, (_, index) => {
    const found = segmentOf(before, first + index)
    if (!found) throw new RangeError(`The update skips segment ${first + index}, which the earlier version lacks.`)
    return { ...found, parts: [] }
  })
  const map = skipped.at(-1)?.map
  const key = skipped.at(-1)?.key
  const kept = update.segments.map((segment) => ({ ...segment, map: segment.map ?? map, key: segment.key ?? key }))
  return { ...update, segments: [...skipped, ...kept], skipped: 0 }
}

const sequenceOf = (playlist: Playlist) => numberOf(playlist, 'EXT-X-MEDIA-SEQUENCE') || 0
const discontinuitiesOf = (playlist: Playlist) => numberOf(playlist, 'EXT-X-DISCONTINUITY-SEQUENCE') || 0
/** Returns the Media Sequence Number after the last complete segment. */
const endOf = (playlist: Playlist) => sequenceOf(playlist) + playlist.skipped + playlist.segments.length
const typeOf = (playlist: Playlist) => tagOf(playlist, 'EXT-X-PLAYLIST-TYPE')?.value
const partsOf = (playlist: Playlist, number: number): readonly Part[] =>
  segmentOf(playlist, number)?.parts ?? (number === endOf(playlist) ? playlist.openParts : [])

/** Pairs the segments that both versions have. */
const pairs = ({ before, after }: Reload): (readonly [Segment, Segment])[] =>
  before.segments.flatMap((one) => {
    const other = segmentOf(after, one.number)
    return other ? [[one, other] as const] : []
  })

const factsOf = ({ uri, duration, range, map, key, date, isDiscontinuity, isGap }: Segment) =>
  JSON.stringify({ uri, duration, range, map, key, date, isDiscontinuity, isGap })

function numbersOf(playlist: Playlist): Map<number, number> {
  let number = discontinuitiesOf(playlist)
  return new Map(
    playlist.segments.map((segment) => {
      if (segment.isDiscontinuity) number++
      return [segment.number, number]
    }),
  )
}

/** Rules of the changes from one version of a media playlist to the next. */
export const reloadRules: readonly Rule<Reload>[] = [
  {
    section: '4.4.3.1',
    says: 'the target duration does not change',
    breaches: ({ before, after }) => changed(before, after, (one) => numberOf(one, 'EXT-X-TARGETDURATION')),
  },
  {
    section: '4.4.3.7',
    says: 'the part target does not change',
    breaches: ({ before, after }) => changed(before, after, (one) => numberOf(one, 'EXT-X-PART-INF', 'PART-TARGET')),
  },
  {
    section: '6.2.2',
    says: 'EXT-X-MEDIA-SEQUENCE does not decrease',
    breaches: ({ before, after }) =>
      sequenceOf(after) < sequenceOf(before) ? [`${sequenceOf(before)}, then ${sequenceOf(after)}`] : [],
  },
  {
    section: '6.2.1',
    says: 'a segment that stays does not change',
    breaches: (reload) =>
      pairs(reload)
        .filter(([one, other]) => factsOf(one) !== factsOf(other))
        .map(([one, other]) => `segment ${one.number}: ${factsOf(one)}, then ${factsOf(other)}`),
  },
  {
    section: '6.2.1',
    says: 'segments are removed from the beginning and added at the end',
    breaches: ({ before, after }) =>
      endOf(after) < endOf(before) ? [`it ended before segment ${endOf(before)}, then before ${endOf(after)}`] : [],
  },
  {
    section: '6.2.2',
    says: 'EXT-X-DISCONTINUITY-SEQUENCE does not decrease, and segments keep their discontinuity sequence numbers',
    breaches: (reload) => {
      const [one, other] = [numbersOf(reload.before), numbersOf(reload.after)]
      const [first, next] = [discontinuitiesOf(reload.before), discontinuitiesOf(reload.after)]
      return [
        ...(next < first ? [`it was ${first}, then ${next}`] : []),
        ...pairs(reload)
          .filter(([{ number }]) => one.get(number) !== other.get(number))
          .map(([{ number }]) => `segment ${number} had ${one.get(number)}, then ${other.get(number)}`),
      ]
    },
  },
  {
    section: '4.4.3.5',
    says: 'an EVENT playlist loses no segment, and its type goes only with its end',
    breaches: ({ before, after }) => {
      if (typeOf(before) !== 'EVENT') return []
      const isLost = sequenceOf(after) > sequenceOf(before)
      const isChanged = typeOf(after) !== 'EVENT' && !after.hasEnded
      return [...(isLost ? ['it lost segments'] : []), ...(isChanged ? [`it became ${typeOf(after)}`] : [])]
    },
  },
  {
    section: '4.4.3.4',
    says: 'nothing is added after EXT-X-ENDLIST, which stays',
    breaches: ({ before, after }) => {
      if (!before.hasEnded) return []
      const isLonger = endOf(after) > endOf(before)
      return [...(after.hasEnded ? [] : ['it is gone']), ...(isLonger ? ['segments were added'] : [])]
    },
  },
  {
    section: '6.2.2',
    says: 'parts are removed only with those before them, and do not change',
    breaches: ({ before, after }) =>
      [...before.segments.map(({ number }) => number), endOf(before)].flatMap((number) => {
        const [one, other] = [partsOf(before, number), partsOf(after, number)]
        const isRemoved = number < endOf(after) && other.length === 0
        const isKept = one.every((part, index) => JSON.stringify(part) === JSON.stringify(other[index]))
        return isRemoved || isKept ? [] : [`parts of segment ${number}`]
      }),
  },
  {
    section: '4.4.5.3',
    says: 'the hinted part is the next part',
    breaches: ({ before, after }) => {
      const hint = tagsOf(before, 'EXT-X-PRELOAD-HINT').find(({ attributes }) => attributes.get('TYPE') === 'PART')
      const uri = unquoted(hint?.attributes.get('URI'))
      const [number, index] = [endOf(before), before.openParts.length]
      const next = partsOf(after, number)[index] ?? (number < endOf(after) ? partsOf(after, number + 1)[0] : undefined)
      return uri === undefined || next === undefined || next.uri === uri ? [] : [`${uri} was hinted, not ${next.uri}`]
    },
  },
]

function changed(before: Playlist, after: Playlist, of: (playlist: Playlist) => number): string[] {
  const [one, other] = [of(before), of(after)]
  return Object.is(one, other) ? [] : [`${one}, then ${other}`]
}

/** A blocking reload: what the request asked for, and the answer. */
export interface BlockingReload {
  readonly msn: number
  readonly part?: number
  readonly after: Playlist
}

/** Rules of the answer to a blocking reload. */
export const blockingRules: readonly Rule<BlockingReload>[] = [
  {
    section: '6.2.5.2',
    says: 'the answer contains the segment, or the part, that the request names, or a later one',
    breaches: ({ msn, part, after }) => {
      const isOpen = part !== undefined && msn === endOf(after) && after.openParts.length > part
      const isThere = after.hasEnded || msn < endOf(after) || isOpen
      return isThere ? [] : [`segment ${msn}${part === undefined ? '' : `, part ${part}`} is missing`]
    },
  },
]
