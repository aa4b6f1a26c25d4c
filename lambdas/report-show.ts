import { archiveOf, fateOf } from '../lib/services/fates.ts'
import { complete, observe } from '../lib/services/observation.ts'
import type { Services } from '../lib/services/services.ts'
import type { RecordingResult, ShowResult, ShowState } from '../lib/workflow/documents.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import { inWords } from '../lib/workflow/failures.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { noted } from '../lib/workflow/timeline.ts'
import { taskHandler } from './middleware/task.ts'

export async function reportShow(
  { showId, sessionId, reason, failure }: TaskInput<'reportShow'>,
  services: Services,
): Promise<TaskOutput<'reportShow'>> {
  const { records, events, clock } = services
  const state = await records.readState(showId)
  if (!state) throw new TaskInputError(`The show ${showId} has no state.`)
  const fates = await fatesOf(state, sessionId, services)
  const lost = fates.recordings.filter((recording) => recording.lost)
  const problem = failure ? inWords(failure) : lost.length > 0 ? lossInWords(lost, state, reason) : undefined

  const result = await records.writeResult({
    version: 1,
    showId,
    name: state.name,
    status: problem ? 'failed' : 'succeeded',
    reason: problem ?? reason ?? 'It ended.',
    ...(sessionId && { sessionId }),
    acceptedAt: state.acceptedAt,
    ...(state.liveAt && { liveAt: state.liveAt }),
    ...(state.endedAt && { endedAt: state.endedAt }),
    reportedAt: new Date(clock.now()).toISOString(),
    ...fates,
    timeline: noted(state.timeline, clock.now(), ...lost.map(asFailed), { what: 'show.ended' }),
  })
  await records.updateState(showId, (latest) => ({
    ...latest,
    status: result.status,
    broadcasts: result.broadcasts,
    timeline: result.timeline,
  }))
  await events.tell({ kind: 'show.ended', id: `${showId}/ended`, detail: { showId, status: result.status } })
  return result
}

async function fatesOf(
  state: ShowState,
  sessionId: string | null,
  { platform, storage }: Services,
): Promise<Pick<ShowResult, 'recordings' | 'broadcasts'>> {
  if (!sessionId) {
    const lost = 'The session was never opened.'
    return { recordings: state.recordings.map((one) => ({ ...one, lost })), broadcasts: state.broadcasts }
  }
  const client = await platform()
  const seen = await complete(client, await observe(client, state.showId, sessionId), state)
  return {
    recordings: await Promise.all(state.recordings.map((one) => fateOf(one, archiveOf(one, seen.archives), storage))),
    broadcasts: state.broadcasts.map((one) => {
      const status = seen.broadcasts.find(({ id }) => id === one.broadcastId)?.status
      return { ...one, ...(status && { status }) }
    }),
  }
}

const asFailed = ({ name }: RecordingResult) => ({ what: 'recording.failed', name }) as const

/** What is lost, after the reason why the show never went live if it did not. */
function lossInWords(lost: readonly RecordingResult[], { liveAt }: ShowState, reason: string | null): string {
  const losses = lost.map(({ name, lost: why }) => `The recording ${name} is lost. ${why}`)
  return [...(reason && !liveAt ? [reason] : []), ...losses].join(' ')
}

export const handler = taskHandler('reportShow', reportShow)
