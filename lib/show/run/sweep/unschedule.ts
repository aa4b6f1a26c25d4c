import type { Services } from '../../../services.ts'
import type { ShowState } from '../../state/state.ts'

/**
 * Ends a show that has not begun: whoever starts it and whoever unschedules it change the same state, so that only one of
 * them does. Repeated it completes what broke off. False when it has begun or is over.
 */
export async function unschedule(
  showId: string,
  reason: string,
  { records, shows, schedules, clock }: Services,
  by?: string,
): Promise<boolean> {
  const at = new Date(clock.now()).toISOString()
  const state = await records.updateState(showId, (latest) =>
    latest.status === 'scheduled'
      ? { ...latest, status: 'stopped', stopAskedAt: at, endedAt: at, endReason: reason }
      : latest,
  )
  const { show } = await shows.request(showId)
  const isUnscheduled = show.start !== undefined && ('cron' in show.start || !state.startedAt)
  if (!isUnscheduled || state.status !== 'stopped') return false
  await schedules.delete(showId)
  await writeResult(state, show.labels, at, records)
  await shows.note(showId, { what: 'show.ended', detail: state.endReason ?? reason, ...(by !== undefined && { by }) })
  return true
}

async function writeResult(
  state: ShowState,
  labels: Record<string, string>,
  reportedAt: string,
  records: Services['records'],
): Promise<void> {
  const {
    acceptedBy,
    showId,
    name,
    acceptedAt,
    endedAt,
    endReason = '',
    timeline,
    recordings,
    broadcasts,
    scenes,
    dialIns,
  } = state
  await records.writeResult({
    ...{ version: 1, showId, name, labels, status: 'stopped', reason: endReason, acceptedAt, endedAt, reportedAt },
    ...(acceptedBy !== undefined && { acceptedBy }),
    ...{ broadcasts, scenes, dialIns, timeline, automaticArchives: [] },
    recordings: recordings.map((recording) => ({ ...recording, lost: 'It was never started.' })),
  })
}
