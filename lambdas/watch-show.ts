import { complete, isLive, isRecording, type Observation, observe } from '../lib/services/observation.ts'
import type { Services } from '../lib/services/services.ts'
import type { ShowState } from '../lib/workflow/documents.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { noted } from '../lib/workflow/timeline.ts'
import { taskHandler } from './middleware/task.ts'

/** Seconds; an end nobody planned is noticed within this time and the length of a look. */
const LONGEST_WAIT = 50
/** While a show is young things still change: broadcasts go live, people leave at once. */
const YOUNG = { seconds: 60, wait: 5 } as const

export async function watchShow(
  { showId, sessionId }: TaskInput<'watchShow'>,
  { platform, records, clock }: Services,
): Promise<TaskOutput<'watchShow'>> {
  const client = await platform()
  const state = await records.readState(showId)
  if (!state?.liveAt || !state.plannedEndAt) throw new TaskInputError(`The show ${showId} is not live.`)
  const seen = await complete(client, await observe(client, showId, sessionId), state)
  await records.updateState(showId, (latest) => withStatuses(latest, seen, clock.now()))

  const left = (Date.parse(state.plannedEndAt) - clock.now()) / 1000
  if (left <= 0) return { over: true, reason: 'The planned end came.', waitSeconds: 0 }
  if (!seen.archives.some(isRecording) && !seen.broadcasts.some(isLive))
    return { over: true, reason: 'Everything had ended before the planned end.', waitSeconds: 0 }
  const age = (clock.now() - Date.parse(state.liveAt)) / 1000
  return { over: false, waitSeconds: Math.ceil(Math.min(left, age < YOUNG.seconds ? YOUNG.wait : LONGEST_WAIT)) }
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
