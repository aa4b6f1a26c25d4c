import type { Services, TaskRun } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import type { TaskOutput } from '../../../tasks/tasks.ts'
import { isStartOf } from '../../document/series.ts'
import { instantOf } from '../../document/starts/local-times.ts'
import type { StartOrder } from '../../document/starts/start.ts'
import { occurrenceId } from './occurrence-id.ts'

type Starting = Pick<Services, 'records' | 'showExecutions' | 'clock'>

export const startScheduledShow: TaskRun<'startShow', keyof Starting> = (services, { scheduleId, scheduledAt }) =>
  startAt(services, scheduleId, scheduledAt)

/** Starts the execution of a scheduled show, once for each scheduled time, however often its schedule calls. */
export async function startAt(
  services: Starting,
  scheduleId: string,
  scheduledAt: string,
): Promise<TaskOutput<'startShow'>> {
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
      const showId = await claimStart(records, scheduleId, start, scheduledAt)
      if (!showId) return undefined
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

/** Shows of a series that its state names. */
const MAX_OCCURRENCES = 20

/** Notes a start in the state of its series, once for each time. @returns the id of its show; undefined if the series does not start then */
async function claimStart(
  { updateState }: Pick<Services['records'], 'updateState'>,
  scheduleId: string,
  series: Series,
  scheduledAt: string,
): Promise<string | undefined> {
  const time = Date.parse(scheduledAt)
  if (Number.isNaN(time)) throw new TaskInputError('scheduledAt must be a time such as 2026-12-01T19:00:00Z.')
  const { count } = series
  if (!isStartOf(series, time)) return undefined
  const [at, showId] = [new Date(time).toISOString(), occurrenceId(scheduleId, time)]
  const { status, starts } = await updateState(scheduleId, (latest) => {
    const { starts = [], occurrences = [] } = latest
    const isOpen = count === undefined || starts.includes(at) || starts.length < count
    if (latest.status !== 'scheduled' || !isOpen) return latest
    return {
      ...latest,
      ...(count !== undefined && { starts: [...new Set([...starts, at])] }),
      occurrences: [...new Set([...occurrences, showId])].sort().slice(-MAX_OCCURRENCES), // ids end with their times
    }
  })
  // A call that was interrupted after its claim completes the start, also when the series has ended.
  const isClaimed = count === undefined ? status === 'scheduled' : starts?.includes(at)
  return isClaimed ? showId : undefined
}
