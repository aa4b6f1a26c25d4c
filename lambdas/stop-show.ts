import { complete, isLive, isRecording, observe } from '../lib/services/observation.ts'
import { hadEnded, isPassing } from '../lib/services/refusals.ts'
import type { Services } from '../lib/services/services.ts'
import { inWords } from '../lib/workflow/failures.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { noted } from '../lib/workflow/timeline.ts'
import { taskHandler } from './middleware/task.ts'

export async function stopShow(
  { showId, sessionId, reason, failure }: TaskInput<'stopShow'>,
  { platform, records, clock }: Services,
): Promise<TaskOutput<'stopShow'>> {
  const endReason = failure ? inWords(failure) : (reason ?? 'It was stopped.')
  const endedAt = new Date(clock.now()).toISOString()
  const state = await records.updateState(showId, (latest) => ({
    ...latest,
    status: 'ending',
    endReason: latest.endReason ?? endReason,
    endedAt: latest.endedAt ?? endedAt,
    timeline: noted(latest.timeline, clock.now(), { what: 'show.ending' }),
  }))

  const client = await platform()
  const { archives, broadcasts } = await complete(client, await observe(client, showId, sessionId), state)
  const stops = [
    ...archives.filter(isRecording).map(({ id }) => client.stopArchive({ archiveId: id })),
    ...broadcasts.filter(isLive).map(({ id }) => client.stopBroadcast({ broadcastId: id })),
  ]
  // Each is tried before any failure counts, so that one that cannot be stopped keeps no other running.
  const outcomes = await Promise.allSettled(stops)
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason : []))
  const failures = refusals.filter((refusal) => !hadEnded(refusal))
  // One that may pass by itself is thrown first, since it has the task repeated.
  if (failures.length > 0) throw failures.find(isPassing) ?? failures[0]
  return { stopped: outcomes.filter(({ status }) => status === 'fulfilled').length }
}

export const handler = taskHandler('stopShow', stopShow)
