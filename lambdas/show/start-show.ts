import { createHash } from 'node:crypto'
import type { Services } from '../../lib/services.ts'
import type { ShowRequest } from '../../lib/show/state/request.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function startShow(
  { scheduleId, scheduledAt }: TaskInput<'startShow'>,
  services: Services,
): Promise<TaskOutput<'startShow'>> {
  const { records, showExecutions } = services
  const request = await records.readRequest(scheduleId)
  const showId = request && (await showAt(request, scheduledAt, services))
  if (!showId) return { showId: scheduleId, outcome: 'unscheduled' }
  if ((await records.readState(showId))?.startedAt) return { showId, outcome: 'started before' }
  const outcome = await showExecutions.start(showId, { showId })
  return { showId, outcome: outcome === 'started' ? 'started' : 'started before' }
}

/** The show that begins at this time, recorded; undefined when it was unscheduled. */
async function showAt(request: ShowRequest, scheduledAt: string, services: Services): Promise<string | undefined> {
  const { records, clock } = services
  const { start, ...show } = request.show
  if (start && 'cron' in start) {
    if ((await records.readState(request.showId))?.status !== 'scheduled') return undefined
    const showId = idAt(request.showId, scheduledAt)
    const by = request.by === undefined ? {} : { by: request.by }
    await records.acceptShow({ version: 1, showId, acceptedAt: new Date(clock.now()).toISOString(), ...by, show })
    return showId
  }
  const { endedAt, startedAt } = await records.updateState(request.showId, (latest) =>
    latest.status === 'scheduled' ? { ...latest, status: 'starting' } : latest,
  )
  return endedAt && !startedAt ? undefined : request.showId
}

/** Characters of a date and time such as `20261201t1900`, with a dash before it; ids have at most 64. */
const MAX_SCHEDULE_ID_LENGTH = 64 - 14

/** One show for each time of a recurring one, by the time in UTC, however often its schedule calls. */
function idAt(scheduleId: string, scheduledAt: string): string {
  const time = Date.parse(scheduledAt)
  if (Number.isNaN(time)) throw new TaskInputError(`scheduledAt must be a time such as 2026-12-01T19:00:00Z.`)
  const minute = new Date(time).toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  const series =
    scheduleId.length > MAX_SCHEDULE_ID_LENGTH
      ? createHash('sha256').update(scheduleId).digest('hex').slice(0, 40)
      : scheduleId
  return `${series}-${minute}`
}

export const handler = taskHandler('startShow', startShow)
