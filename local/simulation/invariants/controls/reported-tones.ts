import type { TraceEntry } from '../../trace.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

const PLAYS = /^platform playDtmfToConnection$/
/** Faults that leave it open whether the platform has played tones. */
const DOUBTFUL: ReadonlySet<string> = new Set([
  'lost before',
  'lost after',
  'delayed',
  'garbage',
  '429',
  '500',
  'killed before',
  'killed after',
])

type DialIn = NonNullable<ShowEvidence['state']>['dialIns'][number]

/**
 * Checks that the tones of a dial-in are played at most once, and that their outcome is reported: failed only if the platform
 * refused them, and unknown only if its answer was lost.
 */
export function reportedTones({
  shows,
  trace,
  failedCalls,
}: Pick<Evidence, 'shows' | 'trace' | 'failedCalls'>): string[] {
  const isDoubtful = faultsOf(failedCalls, /./).some(
    ({ operation, kind }) => PLAYS.test(operation) && DOUBTFUL.has(kind),
  )
  return shows.flatMap(({ showId, state }) =>
    (state?.dialIns ?? []).flatMap((dialIn) =>
      problemsOf(dialIn, answersTo(dialIn, trace), isDoubtful).map(
        (problem) => `the tones of ${dialIn.name} of the show ${showId.slice(0, 12)} ${problem}`,
      ),
    ),
  )
}

/** Returns the statuses of the platform's answers, by functions other than the API: callers may play other tones. */
function answersTo({ connectionId }: DialIn, trace: readonly TraceEntry[]): number[] {
  if (connectionId === undefined) return []
  return trace.flatMap(({ call, refused = call }) =>
    refused?.path?.includes(connectionId) && PLAYS.test(refused.name) && !/^Api(\/\d+)?$/.test(refused.caller)
      ? [refused.status]
      : [],
  )
}

function problemsOf({ tones }: DialIn, answers: readonly number[], isDoubtful: boolean): string[] {
  const played = answers.filter((status) => status < 300).length
  return [
    ...(played > 1 ? [`were played ${played} times`] : []),
    ...(tones === 'played' && played === 0 ? ['are called played, and were not'] : []),
    ...(tones === 'failed' && played > 0 ? ['are called failed, and were played'] : []),
    ...(tones === 'unknown' && answers.length > 0 && played === 0 && !isDoubtful
      ? ['are called unknown, and were refused']
      : []),
  ]
}
