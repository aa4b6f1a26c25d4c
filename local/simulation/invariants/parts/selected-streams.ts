import type { Evidence } from '../evidence.ts'
import { type PartRun, partRunsOf } from './part-runs.ts'
import { watchFaultsIn } from './watch-faults.ts'

/** Seconds before a start in which a selection may still change. */
const CHANGING = 60
/** Seconds after a start within which its streams are selected. */
const WITHIN = 120
/** Seconds before a start in which a fault may prevent a selection. */
const EXCUSED = 600
const LEAVES = /^platform leaveSession$/

type Seen = Pick<Evidence, 'shows' | 'choices' | 'statusChanges' | 'trace' | 'failedCalls'>

/**
 * Checks that the next part of a recording or a broadcast with selected streams begins with the streams and the tracks that the
 * part before it takes. The streams of participants who leave meanwhile may lack, and the selection may change.
 */
export function selectedStreams({ shows, choices, statusChanges, trace, failedCalls }: Seen): string[] {
  const left = trace.filter(({ call }) => LEAVES.test(call?.name ?? '')).map(({ at }) => at)
  const faults = watchFaultsIn({ trace, failedCalls })
  const chosenFor = ({ id }: PartRun, until: number) =>
    wordsOf(choices.findLast((one) => one.id === id && one.at <= until)?.streams ?? [])
  const judge = (before: PartRun, next: PartRun): string[] => {
    const { name, part, from } = next
    const [earliest, latest] = [from - CHANGING * 1000, from + WITHIN * 1000]
    const isChanging = choices.some(({ id, at }) => id === before.id && at >= earliest && at <= latest)
    const leavers = left.filter((at) => at >= before.from && at <= latest).length
    if (isChanging || faults.some((at) => at >= from - EXCUSED * 1000 && at <= latest)) return []
    const [wanted, taken] = [chosenFor(before, from), chosenFor(next, latest)]
    const isKept = leavers === 0 ? wanted === taken : isPartOf(taken, wanted, leavers)
    return isKept
      ? []
      : [`part ${part} of ${name} began with ${taken || 'no streams'}, and the part before it takes ${wanted}`]
  }
  return shows.flatMap(({ showId }) =>
    (['archive', 'broadcast'] as const).flatMap((kind) => {
      const runs = partRunsOf(showId, kind, statusChanges)
      return runs.flatMap((next) => {
        const before = runs.find(({ name, part }) => name === next.name && part === next.part - 1)
        // The platform forgets the streams of what has ended.
        return before && before.to > next.from ? judge(before, next) : []
      })
    }),
  )
}

const streamsIn = (words: string): string[] => (words ? words.split(', ') : [])

/** Returns true if streams are those wanted, without one for each participant who has left. */
const isPartOf = (taken: string, wanted: string, leavers: number): boolean =>
  streamsIn(taken).every((one) => streamsIn(wanted).includes(one)) &&
  streamsIn(taken).length >= streamsIn(wanted).length - leavers

const wordsOf = (streams: Evidence['choices'][number]['streams']): string =>
  streams
    .map(({ streamId, hasAudio, hasVideo }) => {
      const tracks = [...(hasAudio ? ['audio'] : []), ...(hasVideo ? ['video'] : [])]
      return `${streamId} (${tracks.join(' and ') || 'no track'})`
    })
    .toSorted()
    .join(', ')
