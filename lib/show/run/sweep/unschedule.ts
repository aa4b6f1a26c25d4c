import type { Services } from '../../../services.ts'
import type { ShowState } from '../../state/state.ts'

/** Ends a show that has not started: its start changes the same state, so only one succeeds. @returns false if it has started */
export async function unschedule(
  { records, shows, schedules, clock }: Pick<Services, 'records' | 'shows' | 'schedules' | 'clock'>,
  showId: string,
  reason: string,
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
  await writeResult(records, state, show.labels, at)
  await shows.note(showId, { what: 'show.ended', detail: state.endReason ?? reason, ...(by !== undefined && { by }) })
  return true
}

async function writeResult(
  records: Services['records'],
  state: ShowState,
  labels: Record<string, string>,
  reportedAt: string,
): Promise<void> {
  const { showId, name, acceptedAt, acceptedBy, endedAt, endReason = '', timeline } = state
  const { recordings, broadcasts, scenes, dialIns } = state
  await records.writeResult({
    ...{ version: 1, showId, name, labels, status: 'stopped', reason: endReason, acceptedAt, endedAt, reportedAt },
    ...(acceptedBy !== undefined && { acceptedBy }),
    ...{ broadcasts, scenes, dialIns, timeline, automaticArchives: [] },
    recordings: recordings.map((recording) => ({ ...recording, lost: 'It was never started.' })),
  })
}
