import type { Services } from '../../lib/services.ts'
import { announce } from '../../lib/show/controls/announce.ts'
import { withoutProblem } from '../../lib/show/run/resource-entries.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import type { TimelineEventType } from '../../lib/show/state/timeline.ts'
import type { TimelineEvent } from '../../lib/show/state/timeline-events.ts'
import type { ShowStoppedError } from '../../lib/tasks/errors.ts'
import { describeStateError } from '../../lib/tasks/state-errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function goLive(input: TaskInput<'goLive'>, services: Services): Promise<TaskOutput<'goLive'>> {
  const { showId, sessionId } = input
  const [recordings, broadcasts] = [input.recordings.filter(hasBeenTried), input.broadcasts.filter(hasBeenTried)]
  const { shows } = services
  const { show } = await shows.request(showId)
  const created = [...recordings, ...broadcasts].flatMap((one) => ('createdAt' in one ? Date.parse(one.createdAt) : []))
  const { plannedEndAt } = await shows.update(
    showId,
    (state) => ({
      ...state,
      ...(created.length > 0 && timesOf(state, Math.min(...created), show.duration)),
      recordings: state.recordings.map((one) => withOutcome(one, recordings)),
      broadcasts: state.broadcasts.map((one) => withOutcome(one, broadcasts)),
    }),
    ...recordings.map((one) => happening(one, 'recording.started', 'recording.failed')),
    ...broadcasts.map((one) => happening(one, 'broadcast.started', 'broadcast.failed')),
  )
  if (recordings.some((one) => !('error' in one))) await announce(services, { showId, sessionId }, 'recordingStarted')
  return created.length > 0 ? { live: true, ...(plannedEndAt && { plannedEndAt }) } : { live: false }
}

/** A planned end that somebody has moved before is left as it is, and so is a show that has come further. */
const timesOf = ({ status, liveAt, plannedEndAt }: ShowState, earliest: number, duration: number) => ({
  status: status === 'starting' || status === 'waiting' ? ('live' as const) : status,
  liveAt: liveAt ?? new Date(earliest).toISOString(),
  plannedEndAt: plannedEndAt ?? new Date(earliest + duration * 1000).toISOString(),
})

type Outcome = TaskInput<'goLive'>['recordings' | 'broadcasts'][number]

/** What was refused because somebody stopped the show meanwhile has not failed: it never began. */
const hasBeenTried = (outcome: Outcome) => !('error' in outcome) || outcome.error.Error !== STOPPED

const STOPPED: ShowStoppedError['name'] = 'ShowStoppedError'

const happening = (outcome: Outcome, started: TimelineEventType, failed: TimelineEventType): TimelineEvent =>
  'error' in outcome
    ? { what: failed, name: outcome.name, part: 1, detail: describeStateError(outcome.error) }
    : { what: started, name: outcome.name, part: outcome.part }

/** A first part with what became of its start: the resource, or the problem that kept it from starting. */
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

export const handler = taskHandler('goLive', goLive)
