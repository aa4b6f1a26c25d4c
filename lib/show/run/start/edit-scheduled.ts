import { stateOf } from '../../../records/records.ts'
import type { Services } from '../../../services.ts'
import type { Show } from '../../document/show.ts'
import type { StartOrder } from '../../document/starts/start.ts'
import type { ShowState } from '../../state/state.ts'

/** A show document with a start. */
export type ScheduledShow = Show & { readonly start: StartOrder }

/**
 * Replaces the document of a show that has not begun. A start changes the same state, so it takes place with either document,
 * and only one of two edits is the last. The same edit changes nothing.
 * @returns the state, which has another status if the show has begun
 */
export async function editScheduled(
  { records, clock }: Pick<Services, 'records' | 'clock'>,
  showId: string,
  show: ScheduledShow,
  by?: string,
): Promise<ShowState> {
  const edit = await records.writeEdit(showId, { version: 1, showId, show })
  const editedAt = new Date(clock.now()).toISOString()
  return records.updateState(showId, (latest) => {
    if (latest.status !== 'scheduled' || latest.edit === edit) return latest
    // The secrets were checked with the new document. An hour before its start they are checked again.
    const { editedBy: _, secretsCheckedAt: __, invalidSecrets: ___, ...others } = latest
    const edited = { editedAt, ...(by !== undefined && { editedBy: by }), edit, rescheduling: true }
    return { ...others, ...stateOf(showId, show), ...edited }
  })
}

/**
 * Gives the schedule of a show the start of its current document. Two edits at once may each change the schedule: the one that
 * finishes last reads the document again. The sweep completes what was interrupted.
 * @throws {@link TaskInputError} when Scheduler refuses the times
 */
export async function reschedule(
  { records, schedules }: Pick<Services, 'records' | 'schedules'>,
  showId: string,
): Promise<void> {
  for (;;) {
    const current = await records.readCurrentRequest(showId)
    const { start, audienceWait = 0 } = current?.request.show ?? {}
    if (!current || !start) return
    await schedules.replace(showId, { start, audienceWait })
    const state = await records.updateState(showId, (latest) => {
      const { rescheduling: _, ...others } = latest
      return latest.edit === current.edit ? others : latest
    })
    // A call that unscheduled the show meanwhile found another schedule to delete, or none.
    if (state.status !== 'scheduled') return schedules.delete(showId)
    if (state.edit === current.edit) return
  }
}
