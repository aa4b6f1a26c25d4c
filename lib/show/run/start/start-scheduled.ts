import { createHash } from 'node:crypto'
import type { Services, TaskRun } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import { instantOf } from '../../document/local-times.ts'
import { isStartOf } from '../../document/series.ts'
import type { StartOrder } from '../../document/start.ts'

/** Starts the execution of a scheduled show, once for each scheduled time, however often its schedule calls. */
export const startScheduledShow: TaskRun<'startShow', 'records' | 'showExecutions' | 'clock'> = async (
  services,
  { scheduleId, scheduledAt },
) => {
  const { records, showExecutions } = services
  const showId = await showAt(services, scheduleId, scheduledAt)
  if (!showId) return { showId: scheduleId, outcome: 'unscheduled' }
  if ((await records.readState(showId))?.startedAt) return { showId, outcome: 'started before' }
  const outcome = await showExecutions.start(showId, { showId })
  return { showId, outcome: outcome === 'started' ? 'started' : 'started before' }
}

/** Records the show that starts at this time and returns its id; undefined when it was unscheduled, or does not start then. */
async function showAt(
  { records, clock }: Pick<Services, 'records' | 'clock'>,
  scheduleId: string,
  scheduledAt: string,
): Promise<string | undefined> {
  for (;;) {
    const current = await records.readCurrentRequest(scheduleId)
    if (!current) return undefined
    const { start, ...show } = current.request.show
    if (start && 'cron' in start) {
      if (!(await claimStart(records, scheduleId, start, scheduledAt))) return undefined
      const showId = idAt(scheduleId, scheduledAt)
      const by = current.request.by === undefined ? {} : { by: current.request.by }
      const acceptedAt = new Date(clock.now()).toISOString()
      await records.acceptShow({ version: 1, showId, acceptedAt, ...by, scheduleId, show })
      return showId
    }
    // The schedule may have called before an edit reached it. Its new time calls again.
    if (start && (instantOf(start.at, start.zone) ?? 0) > Date.parse(scheduledAt)) return undefined
    const { endedAt, startedAt, edit } = await records.updateState(scheduleId, (latest) =>
      latest.status === 'scheduled' && latest.edit === current.edit ? { ...latest, status: 'starting' } : latest,
    )
    if (edit === current.edit) return endedAt && !startedAt ? undefined : scheduleId
  }
}

type Series = Extract<StartOrder, { readonly cron: string }>

/** Returns whether the series starts at this time. With a `count` the start is claimed in the state, once for each time. */
async function claimStart(
  { readState, updateState }: Pick<Services['records'], 'readState' | 'updateState'>,
  scheduleId: string,
  series: Series,
  scheduledAt: string,
): Promise<boolean> {
  const time = Date.parse(scheduledAt)
  if (Number.isNaN(time)) throw new TaskInputError('scheduledAt must be a time such as 2026-12-01T19:00:00Z.')
  const { count } = series
  if (!isStartOf(series, time)) return false
  if (count === undefined) return (await readState(scheduleId))?.status === 'scheduled'
  const at = new Date(time).toISOString()
  const { starts } = await updateState(scheduleId, (latest) => {
    const { starts = [] } = latest
    const isOpen = latest.status === 'scheduled' && starts.length < count && !starts.includes(at)
    return isOpen ? { ...latest, starts: [...starts, at] } : latest
  })
  return starts?.includes(at) ?? false // also when an earlier call was interrupted after its claim
}

/** Ids have at most 64 characters; a dash and a time such as `20261201t1900` take 14. */
const MAX_SCHEDULE_ID_LENGTH = 64 - 14

/** Returns the id of the show of a recurring schedule at one time, in UTC. */
function idAt(scheduleId: string, scheduledAt: string): string {
  const minute = new Date(scheduledAt).toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  const series =
    scheduleId.length > MAX_SCHEDULE_ID_LENGTH
      ? createHash('sha256').update(scheduleId).digest('hex').slice(0, 40)
      : scheduleId
  return `${series}-${minute}`
}
