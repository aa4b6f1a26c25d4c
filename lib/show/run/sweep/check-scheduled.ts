import { MAX_DELAY } from '../../../aws/schedules.ts'
import type { CurrentRequest } from '../../../records/records.ts'
import type { Services } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import { endOfSeries } from '../../document/series.ts'
import { instantOf } from '../../document/starts/local-times.ts'
import type { StartOrder } from '../../document/starts/start.ts'
import type { ShowState } from '../../state/state.ts'
import { report } from '../finish/report.ts'
import { reschedule } from '../start/edit-scheduled.ts'
import { checkSecretsAhead } from './check-secrets-ahead.ts'
import { unschedule } from './unschedule.ts'

/** Milliseconds after its time from which the sweep starts a show: until then its schedule may start it. */
const LATE = 900_000
/** Milliseconds after its time from which a show is not started any more: the limit of its schedule too. */
const TOO_LATE = MAX_DELAY * 1000
/** Milliseconds that the call that accepts a show may take to make its schedule. */
const BEING_MADE = 120_000

type Scheduling = Pick<
  Services,
  'records' | 'shows' | 'showExecutions' | 'schedules' | 'showSecrets' | 'platform' | 'storage' | 'clock'
>

/** Repairs a waiting show: makes a missing schedule, starts a show whose schedule was lost, ends one that is too late. */
export async function checkScheduled(services: Scheduling, showId: string): Promise<'left' | 'started'> {
  const now = services.clock.now()
  const current = await services.records.readCurrentRequest(showId)
  const { acceptedAt, show } = current?.request ?? {}
  if (!current || !acceptedAt || !show?.start) return 'left'
  if ('cron' in show.start) {
    const reason = reasonOfEnd(show.start, await services.shows.state(showId), now)
    if (reason) {
      await unschedule(services, showId, reason)
      return 'left'
    }
    if (now >= (endOfSeries(show.start) ?? Number.POSITIVE_INFINITY)) return 'left' // its last start may be retried
  }
  const time = timeOf(show.start)
  if (time === undefined || now < time) {
    const { editedAt = acceptedAt, rescheduling } = await services.shows.state(showId)
    if (now >= Date.parse(editedAt) + BEING_MADE)
      await makeSchedule(services, showId, rescheduling ? undefined : { ...show, start: show.start })
    await checkSecretsAhead(services, current.request)
    return 'left'
  }
  const late = now - time
  if (late < LATE) return 'left'
  if (late < TOO_LATE) return start(services, showId, current)
  const since = new Date(time).toISOString()
  await end(services, showId, `It was not started at its time, ${since}, and that was noticed too late.`)
  return 'left'
}

/** Returns why a series has ended; undefined while it may start again. */
function reasonOfEnd(series: Extract<StartOrder, { readonly cron: string }>, { starts = [] }: ShowState, now: number) {
  const { count = Number.POSITIVE_INFINITY, until } = series
  if (starts.length >= count) return `It has started ${count === 1 ? 'once' : `${count} times`}, as ordered.`
  const end = endOfSeries(series)
  return end !== undefined && now >= end + TOO_LATE ? `Its last day was ${until}.` : undefined
}

/** Returns the time of a show that starts once, in milliseconds. */
const timeOf = (start: StartOrder) => ('at' in start ? instantOf(start.at, start.zone) : undefined)

/** @param show undefined when the schedule has to be replaced, because the call that edited the show was interrupted */
async function makeSchedule(
  services: Scheduling,
  showId: string,
  show: Parameters<Services['schedules']['create']>[1] | undefined,
): Promise<void> {
  const { schedules, records } = services
  if (show && (await schedules.exists(showId))) return
  try {
    if (!show) return await reschedule(services, showId)
    await schedules.create(showId, show)
  } catch (error) {
    if (!(error instanceof TaskInputError)) throw error
    return end(services, showId, `It could not be scheduled. ${error.message}`)
  }
  // A call that unscheduled the show meanwhile found no schedule to delete.
  if ((await records.readState(showId))?.status !== 'scheduled') await schedules.delete(showId)
}

/** Is safe when the schedule calls at the same time: the state changes once, and the execution starts once. */
async function start(
  { records, showExecutions }: Scheduling,
  showId: string,
  { edit }: CurrentRequest,
): Promise<'left' | 'started'> {
  const { status } = await records.updateState(showId, (latest) =>
    latest.status === 'scheduled' && latest.edit === edit ? { ...latest, status: 'starting' } : latest,
  )
  if (status !== 'starting') return 'left'
  await showExecutions.start(showId, { showId })
  return 'started'
}

/** The state prevents a start from here on. The next sweep completes an interrupted end. */
async function end(services: Scheduling, showId: string, reason: string): Promise<void> {
  const { records, clock } = services
  const endedAt = new Date(clock.now()).toISOString()
  const state = await records.updateState(showId, (latest) =>
    latest.status === 'scheduled' ? { ...latest, status: 'ending', endedAt, endReason: reason } : latest,
  )
  if (state.endReason === reason) await report(services, { showId, sessionId: null, reason, failure: null })
}
