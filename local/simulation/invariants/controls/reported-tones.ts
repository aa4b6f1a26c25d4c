import type { TraceEntry } from '../../trace.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

const PLAYS = /^platform playDtmfToConnection$/
/** The status of a call that the callee has answered. */
const ANSWERED = 'ACTIVE'
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
 * Checks that the tones of a dial-in are played at most once, after its callee has answered, and that their outcome is reported: failed
 * only if the platform refused them, and unknown only if its answer was lost.
 */
export function reportedTones({
  shows,
  trace,
  failedCalls,
  statusChanges,
}: Pick<Evidence, 'shows' | 'trace' | 'failedCalls' | 'statusChanges'>): string[] {
  const answeredAt = ({ connectionId }: DialIn) =>
    statusChanges.find((one) => one.kind === 'call' && one.connectionId === connectionId && one.status === ANSWERED)
      ?.at ?? Number.POSITIVE_INFINITY
  const isDoubtful = faultsOf(failedCalls, /./).some(
    ({ operation, kind }) => PLAYS.test(operation) && DOUBTFUL.has(kind),
  )
  return shows.flatMap(({ showId, state }) =>
    (state?.dialIns ?? []).flatMap((dialIn) =>
      problemsOf(dialIn, answersTo(dialIn, trace), { isDoubtful, answeredAt: answeredAt(dialIn) }).map(
        (problem) => `the tones of ${dialIn.name} of the show ${showId.slice(0, 12)} ${problem}`,
      ),
    ),
  )
}

interface Answer {
  readonly at: number
  readonly status: number
}

/** Returns the platform's answers, by functions other than the API: callers may play other tones. */
function answersTo({ connectionId }: DialIn, trace: readonly TraceEntry[]): Answer[] {
  if (connectionId === undefined) return []
  return trace.flatMap(({ at, call, refused = call }) =>
    refused?.path?.includes(connectionId) && PLAYS.test(refused.name) && !/^Api(\/\d+)?$/.test(refused.caller)
      ? [{ at, status: refused.status }]
      : [],
  )
}

function problemsOf(
  { tones }: DialIn,
  answers: readonly Answer[],
  { isDoubtful, answeredAt }: { readonly isDoubtful: boolean; readonly answeredAt: number },
): string[] {
  const played = answers.filter(({ status }) => status < 300).length
  return [
    ...(answers.some(({ at }) => at < answeredAt) ? ['were ordered before the callee had answered'] : []),
    ...(played > 1 ? [`were played ${played} times`] : []),
    ...(tones === 'played' && played === 0 ? ['are called played, and were not'] : []),
    ...(tones === 'failed' && played > 0 ? ['are called failed, and were played'] : []),
    ...(tones === 'unknown' && answers.length > 0 && played === 0 && !isDoubtful
      ? ['are called unknown, and were refused']
      : []),
  ]
}
