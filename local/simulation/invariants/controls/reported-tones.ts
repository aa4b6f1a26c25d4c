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

/** Seconds before an answer in which a fault may delay what follows it. */
const BEFORE = 60
/** Seconds after an answer within which tones are played. */
const PLAYED = 120

type Seen = Pick<Evidence, 'shows' | 'trace' | 'failedCalls' | 'statusChanges' | 'platformEvents'>

type DialIn = NonNullable<ShowEvidence['state']>['dialIns'][number]

/**
 * Checks that the tones of a dial-in are played once its callee has answered, and at most once, and that their outcome is
 * reported: failed only if the platform refused them, and unknown only if its answer was lost. A failure has a reason. If the tones are
 * secret, only one that names the secret: a message of the platform may repeat them.
 */
export function reportedTones(evidence: Seen): string[] {
  const { shows, trace, failedCalls, statusChanges } = evidence
  const answeredAt = ({ connectionId = '' }: DialIn) =>
    statusChanges.find((one) => one.kind === 'call' && one.connectionId === connectionId && one.status === ANSWERED)
      ?.at ?? Number.POSITIVE_INFINITY
  const isDoubtful = faultsOf(failedCalls, /./).some(
    ({ operation, kind }) => PLAYS.test(operation) && DOUBTFUL.has(kind),
  )
  return shows.flatMap((show) =>
    (show.state?.dialIns ?? []).flatMap((dialIn) => {
      const at = answeredAt(dialIn)
      const problems = problemsOf(dialIn, answersTo(dialIn, trace), { isDoubtful, answeredAt: at })
      return [...problems, ...unplayed(show, dialIn, at, evidence), ...explained(show, dialIn)].map(
        (problem) => `the tones of ${dialIn.name} of the show ${show.showId.slice(0, 12)} ${problem}`,
      )
    }),
  )
}

/** Tones need callbacks of the platform, and a call and a show that last. A fault at that time may delay them. */
function unplayed(
  { request, state }: ShowEvidence,
  { name, order, connectionId, tonesAskedAt }: DialIn,
  answeredAt: number,
  { platformEvents, statusChanges, trace }: Seen,
): string[] {
  const { tones } = request?.show.dialIns.find((one) => one.name === name) ?? order ?? {}
  if (tones === undefined || tonesAskedAt !== undefined || platformEvents.length === 0) return []
  const until = answeredAt + PLAYED * 1000
  const isMeanwhile = ({ at }: { readonly at: number }) => at >= answeredAt - BEFORE * 1000 && at <= until
  const ends = [state?.endedAt, state?.stopAskedAt].flatMap((at) => (at === undefined ? [] : [Date.parse(at)]))
  const hasEnded = statusChanges.some(
    (one) => one.connectionId === connectionId && one.at > answeredAt && one.at <= until,
  )
  const isExcused = hasEnded || ends.some((end) => end <= until) || trace.some((one) => one.fault && isMeanwhile(one))
  return Number.isFinite(answeredAt) && !isExcused ? ['were not played after the callee had answered'] : []
}

function explained({ request, state }: ShowEvidence, { name, order, tones: outcome }: DialIn): string[] {
  const { tones } = request?.show.dialIns.find((one) => one.name === name) ?? order ?? {}
  const failure = state?.timeline?.find((one) => one.what === 'dialIn.tonesFailed' && one.name === name)
  if (outcome !== 'failed' || tones === undefined || failure === undefined) return []
  const { detail } = failure
  if (typeof tones === 'string') return detail === undefined ? ['failed without a reason'] : []
  // Showrunner's own reason names the secret. Any other one may repeat its value.
  return detail === undefined || detail.includes(tones.secret)
    ? []
    : ['are secret, and failed with a reason that may repeat them']
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
