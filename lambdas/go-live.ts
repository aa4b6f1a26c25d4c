import type { Services } from '../lib/services/services.ts'
import type { TimelineEntry } from '../lib/workflow/documents/timeline.ts'
import { inWords, type StateError } from '../lib/workflow/failures.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { noted } from '../lib/workflow/timeline.ts'
import { taskHandler } from './middleware/task.ts'

export async function goLive(
  { showId, recordings, broadcasts, duration }: TaskInput<'goLive'>,
  { records, clock }: Services,
): Promise<TaskOutput<'goLive'>> {
  const created = [...recordings, ...broadcasts].flatMap((one) => ('createdAt' in one ? Date.parse(one.createdAt) : []))
  const live = created.length > 0
  const times = live && {
    liveAt: new Date(Math.min(...created)).toISOString(),
    plannedEndAt: new Date(Math.min(...created) + duration * 1000).toISOString(),
  }
  await records.updateState(showId, (state) => ({
    ...state,
    ...times,
    status: live ? 'live' : state.status,
    recordings: state.recordings.map((recording) => ({ ...recording, ...outcomeOf(recording.name, recordings) })),
    broadcasts: state.broadcasts.map((broadcast) => ({ ...broadcast, ...outcomeOf(broadcast.name, broadcasts) })),
    timeline: noted(
      state.timeline,
      clock.now(),
      ...recordings.map((one) => happening(one, 'recording.started', 'recording.failed')),
      ...broadcasts.map((one) => happening(one, 'broadcast.started', 'broadcast.failed')),
    ),
  }))
  return { live, ...(times && { plannedEndAt: times.plannedEndAt }) }
}

const happening = <What extends TimelineEntry['what']>(outcome: { name: string }, started: What, failed: What) => ({
  what: 'error' in outcome ? failed : started,
  name: outcome.name,
})

/** What became of one start: the resource, or the problem that kept it from starting. */
function outcomeOf<Started extends { name: string }>(
  name: string,
  outcomes: readonly (Started | { name: string; error: StateError })[],
) {
  const outcome = outcomes.find((one) => one.name === name)
  if (outcome && 'error' in outcome) return { problem: inWords(outcome.error) }
  return outcome as Started | undefined
}

export const handler = taskHandler('goLive', goLive)
