import { complete, isLive, isRecording, type Observation, observe } from '../lib/services/observation.ts'
import { instead, isPassing } from '../lib/services/refusals.ts'
import type { Services } from '../lib/services/services.ts'
import type { ShowState } from '../lib/workflow/documents/state.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { noted } from '../lib/workflow/timeline.ts'
import { taskHandler } from './middleware/task.ts'

/** Seconds; an end nobody planned is noticed within this time and the length of a look. */
const LONGEST_WAIT = 50
/** Seconds; while a show is young things still change: broadcasts go live, people leave at once. */
const YOUNG = { seconds: 60, wait: 5 } as const

export async function watchShow(
  { showId, sessionId }: TaskInput<'watchShow'>,
  { platform, records, clock }: Services,
): Promise<TaskOutput<'watchShow'>> {
  const client = await platform()
  const state = await records.readState(showId)
  if (!state?.liveAt || !state.plannedEndAt) throw new TaskInputError(`The show ${showId} is not live.`)
  // While the platform cannot be reached nothing is known, and a show is not ended for that: it is looked at again.
  const look = observe(client, showId, sessionId).then((observation) => complete(client, observation, state))
  const seen = await look.catch(instead(isPassing, undefined))
  if (seen) await records.updateState(showId, (latest) => withStatuses(latest, seen, clock.now()))

  const now = clock.now()
  const plannedEnd = Date.parse(state.plannedEndAt)
  const wait = now - Date.parse(state.liveAt) < YOUNG.seconds * 1000 ? YOUNG.wait : LONGEST_WAIT
  const nextLookAt = new Date(Math.min(plannedEnd, now + wait * 1000)).toISOString()
  if (now >= plannedEnd) return { over: true, reason: 'The planned end came.', nextLookAt }
  if (seen && !seen.archives.some(isRecording) && !seen.broadcasts.some(isLive))
    return { over: true, reason: 'Everything had ended before the planned end.', nextLookAt }
  return { over: false, nextLookAt }
}

/** The state with the statuses just seen; unchanged, and then not written, when nothing has changed. */
function withStatuses(state: ShowState, { archives, broadcasts }: Observation, now: number): ShowState {
  const next = {
    ...state,
    recordings: state.recordings.map((one) => ({ ...one, ...statusIn(archives, one.archiveId) })),
    broadcasts: state.broadcasts.map((one) => ({ ...one, ...statusIn(broadcasts, one.broadcastId) })),
  }
  const failed = [
    ...next.recordings.map(({ name, status }) => ({ what: 'recording.failed', name, status }) as const),
    ...next.broadcasts.map(({ name, status }) => ({ what: 'broadcast.failed', name, status }) as const),
  ].flatMap(({ status, ...happening }) => (status === 'failed' ? happening : []))
  return { ...next, timeline: noted(state.timeline, now, ...failed) }
}

const statusIn = <Resource extends { id: string; status: string }>(resources: readonly Resource[], id?: string) => {
  const status = resources.find((resource) => resource.id === id)?.status as Resource['status'] | undefined
  return status && { status }
}

export const handler = taskHandler('watchShow', watchShow)
