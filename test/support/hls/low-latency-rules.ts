import { type Part, type Playlist, unquoted } from './parse.ts'
import { failing, numberOf, type Rule, secondsOf, tagOf, tagsOf } from './rule.ts'

/** Seconds by which rounded durations differ from exact ones. */
const ROUNDING = 0.002

const hasParts = (playlist: Playlist) => tagOf(playlist, 'EXT-X-PART-INF') !== undefined
const families = ({ segments, openParts, hasEnded }: Playlist): { parts: readonly Part[]; isWhole: boolean }[] => [
  ...segments.map(({ parts }) => ({ parts, isWhole: true })),
  { parts: openParts, isWhole: hasEnded },
]
const named = (part: Part) => `${part.uri}, ${part.duration} s`

/** Returns the shares of a control that are below a multiple of another duration. */
function below(playlist: Playlist, attribute: string, [times, unit]: readonly [number, number]): string[] {
  const value = numberOf(playlist, 'EXT-X-SERVER-CONTROL', attribute)
  return value < times * unit - ROUNDING ? [`${attribute} is ${value}, of at least ${times * unit}`] : []
}

/** Rules of parts, delivery directives, hints and reports. */
export const lowLatencyRules: readonly Rule[] = [
  {
    section: '4.4.3.7',
    says: 'a playlist with parts has EXT-X-PART-INF with a PART-TARGET',
    breaches: (playlist) => {
      const isNeeded = hasParts(playlist) || tagOf(playlist, 'EXT-X-PART') !== undefined
      return isNeeded && !(numberOf(playlist, 'EXT-X-PART-INF', 'PART-TARGET') > 0) ? ['it is missing'] : []
    },
  },
  {
    section: '4.4.3.8',
    says: 'CAN-SKIP-UNTIL is at least six target durations',
    breaches: (playlist) => below(playlist, 'CAN-SKIP-UNTIL', [6, numberOf(playlist, 'EXT-X-TARGETDURATION')]),
  },
  {
    section: '4.4.3.8',
    says: 'CAN-SKIP-DATERANGES requires CAN-SKIP-UNTIL',
    breaches: (playlist) =>
      failing(
        tagsOf(playlist, 'EXT-X-SERVER-CONTROL'),
        ({ attributes }) => !attributes.has('CAN-SKIP-DATERANGES') || attributes.has('CAN-SKIP-UNTIL'),
      ),
  },
  {
    section: '4.4.3.8',
    says: 'HOLD-BACK is at least three target durations',
    breaches: (playlist) => below(playlist, 'HOLD-BACK', [3, numberOf(playlist, 'EXT-X-TARGETDURATION')]),
  },
  {
    section: '4.4.3.8',
    says: 'PART-HOLD-BACK is there with parts, and at least three part targets',
    breaches: (playlist) => {
      if (!hasParts(playlist)) return []
      const isMissing = Number.isNaN(numberOf(playlist, 'EXT-X-SERVER-CONTROL', 'PART-HOLD-BACK'))
      const target = numberOf(playlist, 'EXT-X-PART-INF', 'PART-TARGET')
      return isMissing ? ['it is missing'] : below(playlist, 'PART-HOLD-BACK', [3, target])
    },
  },
  {
    section: '4.4.4.9',
    says: 'EXT-X-PART has a URI and a DURATION',
    breaches: (playlist) =>
      failing(
        tagsOf(playlist, 'EXT-X-PART'),
        ({ attributes }) => Boolean(unquoted(attributes.get('URI'))) && Number(attributes.get('DURATION')) >= 0,
      ),
  },
  {
    section: '4.4.4.9',
    says: 'a part is at most as long as the part target',
    breaches: (playlist) => {
      const target = numberOf(playlist, 'EXT-X-PART-INF', 'PART-TARGET')
      return families(playlist).flatMap(({ parts }) => parts.filter(({ duration }) => duration > target).map(named))
    },
  },
  {
    section: '4.4.4.9',
    says: 'a part lasts at least 85 % of the part target, unless it is independent, a gap, before a gap, or the last',
    breaches: (playlist) => {
      const least = 0.85 * numberOf(playlist, 'EXT-X-PART-INF', 'PART-TARGET') - ROUNDING / 2
      return families(playlist).flatMap(({ parts }) =>
        parts
          .filter((part, index) => {
            const next = parts[index + 1]
            return part.duration < least && !part.isIndependent && !part.isGap && next !== undefined && !next.isGap
          })
          .map(named),
      )
    },
  },
  {
    section: '4.4.4.9',
    says: 'tags that apply to a segment are before its first part',
    breaches: ({ tags, segments }) => {
      const applied = ['EXT-X-DISCONTINUITY', 'EXT-X-KEY', 'EXT-X-MAP', 'EXT-X-PROGRAM-DATE-TIME']
      let [next, hasPart] = [0, false]
      return failing(tags, ({ name, line }) => {
        for (; (segments[next]?.line ?? Infinity) < line; next++) hasPart = false
        if (name === 'EXT-X-PART') hasPart = true
        return !(hasPart && applied.includes(name))
      })
    },
  },
  {
    section: '4.4.4.9',
    says: 'a part’s BYTERANGE without an offset follows a range of the same resource in its segment',
    breaches: (playlist) =>
      families(playlist).flatMap(({ parts }) =>
        parts
          .filter(({ range, uri }, index) => {
            const before = parts[index - 1]
            return range && range.offset === undefined && !(before?.range && before.uri === uri)
          })
          .map(named),
      ),
  },
  {
    section: '3.2',
    says: 'the parts of a segment last as long as the segment',
    breaches: ({ segments }) =>
      segments
        .filter(({ parts }) => parts.length > 0)
        .filter(({ parts, duration }) => Math.abs(secondsOf(parts) - duration) > ROUNDING * (parts.length + 1))
        .map(({ line, duration, parts }) => `line ${line}, ${secondsOf(parts)} s of ${duration} s`),
  },
  {
    section: '6.2.2',
    says: 'parts are removed once they are three target durations from the end',
    breaches: (playlist) => {
      const bound = 3 * numberOf(playlist, 'EXT-X-TARGETDURATION') + ROUNDING
      const open = secondsOf(playlist.openParts)
      return playlist.segments
        .filter(({ parts }, index) => {
          return parts.length > 0 && secondsOf(playlist.segments.slice(index + 1)) + open > bound
        })
        .map(({ number }) => `segment ${number}`)
    },
  },
  {
    section: '4.4.5.2',
    says: 'EXT-X-SKIP has SKIPPED-SEGMENTS, and stands before the segments of a playlist without an end',
    breaches: (playlist) =>
      failing(
        tagsOf(playlist, 'EXT-X-SKIP'),
        ({ attributes, line }) =>
          Number(attributes.get('SKIPPED-SEGMENTS')) > 0 &&
          line < (playlist.segments[0]?.line ?? Infinity) &&
          !playlist.hasEnded,
      ),
  },
  {
    section: '4.4.5.2',
    says: 'a delta update is of a playlist with CAN-SKIP-UNTIL',
    breaches: (playlist) =>
      playlist.skipped > 0 && Number.isNaN(numberOf(playlist, 'EXT-X-SERVER-CONTROL', 'CAN-SKIP-UNTIL'))
        ? ['it is missing']
        : [],
  },
  {
    section: '6.2.5.1',
    says: 'a delta update skips no segment within the skip boundary',
    breaches: (playlist) => {
      const boundary = numberOf(playlist, 'EXT-X-SERVER-CONTROL', 'CAN-SKIP-UNTIL')
      const kept = secondsOf(playlist.segments)
      return playlist.skipped > 0 && kept < boundary - ROUNDING ? [`it keeps ${kept} s of ${boundary} s`] : []
    },
  },
  {
    section: '4.4.5.3',
    says: 'EXT-X-PRELOAD-HINT has a TYPE of PART or MAP and a URI, and one hint of a type',
    breaches: (playlist) => {
      const hints = tagsOf(playlist, 'EXT-X-PRELOAD-HINT')
      const typeOf = (index: number) => hints[index]?.attributes.get('TYPE')
      return failing(hints, (tag) => {
        const type = tag.attributes.get('TYPE') ?? ''
        const isFirst = hints.findIndex((_, index) => typeOf(index) === type) === hints.indexOf(tag)
        return /^(PART|MAP)$/.test(type) && Boolean(unquoted(tag.attributes.get('URI'))) && isFirst
      })
    },
  },
  {
    section: '4.4.5.3',
    says: 'a playlist with an end has no EXT-X-PRELOAD-HINT',
    breaches: (playlist) => (playlist.hasEnded ? failing(tagsOf(playlist, 'EXT-X-PRELOAD-HINT'), () => false) : []),
  },
  {
    section: '4.4.5.4',
    says: 'EXT-X-RENDITION-REPORT has a relative URI and LAST-MSN, and LAST-PART with parts',
    breaches: (playlist) =>
      failing(tagsOf(playlist, 'EXT-X-RENDITION-REPORT'), ({ attributes }) => {
        const uri = unquoted(attributes.get('URI')) ?? ''
        const isRelative = uri !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(uri)
        return isRelative && attributes.has('LAST-MSN') && (!hasParts(playlist) || attributes.has('LAST-PART'))
      }),
  },
  {
    section: 'B.1',
    says: 'a live playlist with parts offers blocking reloads, hints the next part and dates its segments',
    breaches: (playlist) => {
      if (!hasParts(playlist) || playlist.hasEnded) return []
      const canBlock = tagOf(playlist, 'EXT-X-SERVER-CONTROL')?.attributes.get('CAN-BLOCK-RELOAD') === 'YES'
      return [
        ...(canBlock ? [] : ['CAN-BLOCK-RELOAD is missing']),
        ...(tagOf(playlist, 'EXT-X-PRELOAD-HINT') ? [] : ['EXT-X-PRELOAD-HINT is missing']),
        ...(tagOf(playlist, 'EXT-X-PROGRAM-DATE-TIME') ? [] : ['EXT-X-PROGRAM-DATE-TIME is missing']),
      ]
    },
  },
]
