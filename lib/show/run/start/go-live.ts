import type { TaskRun } from '../../../services.ts'
import type { ShowStoppedError } from '../../../tasks/errors.ts'
import { describeStateError } from '../../../tasks/state-errors.ts'
import type { TaskInput } from '../../../tasks/tasks.ts'
import { announce } from '../../controls/announce.ts'
import { maxSecondsOf } from '../../document/duration.ts'
import type { Show } from '../../document/show.ts'
import type { ShowState } from '../../state/state.ts'
import type { TimelineEventType } from '../../state/timeline.ts'
import type { TimelineEvent } from '../../state/timeline-events.ts'
import { withoutProblem } from '../resource-entries.ts'

/** Notes the outcome of every first start. The show is live, with a planned end, once any of them succeeded. */
export const noteStarts: TaskRun<'goLive', 'shows' | 'platform'> = async (services, input) => {
  const { showId, sessionId } = input
  const [recordings, broadcasts] = [input.recordings.filter(wasAttempted), input.broadcasts.filter(wasAttempted)]
  const { shows } = services
  const { show } = await shows.request(showId)
  const created = [...recordings, ...broadcasts].flatMap((one) => ('createdAt' in one ? Date.parse(one.createdAt) : []))
  const { plannedEndAt } = await shows.update(
    showId,
    (state) => ({
      ...state,
      ...(created.length > 0 && timesOf(state, Math.min(...created), show)),
      recordings: state.recordings.map((one) => withOutcome(one, recordings)),
      broadcasts: state.broadcasts.map((one) => withOutcome(one, broadcasts)),
    }),
    ...recordings.map((one) => eventOf(one, 'recording.started', 'recording.failed')),
    ...broadcasts.map((one) => eventOf(one, 'broadcast.started', 'broadcast.failed')),
  )
  if (recordings.some((one) => !('error' in one))) await announce(services, { showId, sessionId }, 'recordingStarted')
  return created.length > 0 ? { live: true, ...(plannedEndAt && { plannedEndAt }) } : { live: false }
}

/** Keeps an earlier time and a later status: another attempt may have noted them, and a user may have moved the end. */
const timesOf = ({ status, liveAt, plannedEndAt }: ShowState, earliest: number, show: Show) => ({
  status: status === 'starting' || status === 'waiting' ? ('live' as const) : status,
  liveAt: liveAt ?? new Date(earliest).toISOString(),
  plannedEndAt: plannedEndAt ?? new Date(earliest + maxSecondsOf(show) * 1000).toISOString(),
  ...(show.duration === null && { openEnd: true }),
})

type Outcome = TaskInput<'goLive'>['recordings' | 'broadcasts'][number]

/** Returns false for a start that a stop prevented: it has not failed. */
const wasAttempted = (outcome: Outcome) => !('error' in outcome) || outcome.error.Error !== STOPPED

const STOPPED: ShowStoppedError['name'] = 'ShowStoppedError'

const eventOf = (outcome: Outcome, started: TimelineEventType, failed: TimelineEventType): TimelineEvent =>
  'error' in outcome
    ? { what: failed, name: outcome.name, part: 1, detail: describeStateError(outcome.error) }
    : { what: started, name: outcome.name, part: outcome.part }

/** Returns a first part with its resource, or with the problem that prevented its start. */
function withOutcome<Entry extends { name: string; part: number; problem?: string | undefined }>(
  entry: Entry,
  outcomes: readonly Outcome[],
): Entry {
  const outcome = entry.part === 1 ? outcomes.find(({ name }) => name === entry.name) : undefined
  if (!outcome) return entry
  return 'error' in outcome
    ? { ...entry, problem: describeStateError(outcome.error) }
    : { ...withoutProblem(entry), ...outcome }
}
