import { MAX_DELAY } from '../../../aws/schedules.ts'
import type { CurrentRequest } from '../../../records/records.ts'
import type { Services } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import { endOfSeries } from '../../document/series.ts'
import { instantOf } from '../../document/starts/local-times.ts'
import type { StartOrder } from '../../document/starts/start.ts'
import { latestStart } from '../../plan/next-start.ts'
import type { ShowResult } from '../../state/result.ts'
import type { ShowState } from '../../state/state.ts'
import { report } from '../finish/report.ts'
import { reschedule } from '../start/edit-scheduled.ts'
import { occurrenceId } from '../start/occurrence-id.ts'
import { startAt } from '../start/start-scheduled.ts'
import { checkSecretsAhead } from './check-secrets-ahead.ts'
import { unschedule } from './unschedule.ts'

/** Milliseconds after its time from which the sweep starts a show: until then its schedule may start it. */
const LATE = 900_000
/** Milliseconds after its time from which a show is not started any more: the limit of its schedule too. */
const TOO_LATE = MAX_DELAY * 1000
/** Milliseconds that the call that accepts a show may take to make its schedule. */
const BEING_MADE = 120_000

/** Is called with each result whose metrics no execution has written: the sweep wrote it, or the execution ended before that. */
export type OnReport = (result: ShowResult) => void

type Series = Extract<StartOrder, { readonly cron: string }>

type Scheduling = Pick<
  Services,
  'records' | 'shows' | 'showExecutions' | 'schedules' | 'showSecrets' | 'platform' | 'storage' | 'clock'
>

/**
 * Repairs a waiting show: makes a missing schedule, starts a show that its schedule did not, ends one that is too late.
 * @param onReport is called with the result of a show that it ended
 */
export async function checkScheduled(
  services: Scheduling,
  showId: string,
  onReport: OnReport,
): Promise<'left' | 'started'> {
  const now = services.clock.now()
  const current = await services.records.readCurrentRequest(showId)
  const { acceptedAt, show } = current?.request ?? {}
  if (!current || !acceptedAt || !show?.start) return 'left'
  if ('cron' in show.start) {
    const state = await services.shows.state(showId)
    const missed = await missedStart(services, show.start, state, now)
    if (missed !== undefined) return now < missed + LATE ? 'left' : startMissed(services, showId, missed)
    const reason = reasonOfEnd(show.start, state, now)
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
      await makeSchedule(services, showId, {
        show: rescheduling ? undefined : { ...show, start: show.start },
        onReport,
      })
    await checkSecretsAhead(services, current.request)
    return 'left'
  }
  const late = now - time
  if (late < LATE) return 'left'
  if (late < TOO_LATE) return start(services, showId, current)
  const since = new Date(time).toISOString()
  const reason = `It was not started at its time, ${since}, and that was noticed too late.`
  await end(services, showId, { reason, onReport })
  return 'left'
}

/**
 * Returns the latest start of a series, if its show does not exist and may still be started: each call of the schedule was
 * interrupted. @returns milliseconds since the epoch
 */
async function missedStart(
  { records }: Pick<Services, 'records'>,
  series: Series,
  { showId, acceptedAt, editedAt = acceptedAt, starts = [] }: ShowState,
  now: number,
): Promise<number | undefined> {
  const time = latestStart(series, Math.max(now - TOO_LATE, Date.parse(editedAt)), now)
  if (time === undefined || (await records.readRequest(occurrenceId(showId, time)))) return undefined
  const isOrdered = series.count === undefined || starts.length < series.count
  return isOrdered || starts.includes(new Date(time).toISOString()) ? time : undefined
}

async function startMissed(services: Scheduling, showId: string, time: number): Promise<'left' | 'started'> {
  const { outcome } = await startAt(services, showId, new Date(time).toISOString())
  return outcome === 'started' ? 'started' : 'left'
}

/** Returns why a series has ended; undefined while it may start again. */
function reasonOfEnd(series: Series, { starts = [] }: ShowState, now: number) {
  const { count = Number.POSITIVE_INFINITY, until } = series
  if (starts.length >= count) return `It has started ${count === 1 ? 'once' : `${count} times`}, as ordered.`
  const end = endOfSeries(series)
  return end !== undefined && now >= end + TOO_LATE ? `Its last day was ${until}.` : undefined
}

/** Returns the time of a show that starts once, in milliseconds. */
const timeOf = (start: StartOrder) => ('at' in start ? instantOf(start.at, start.zone) : undefined)

interface NewSchedule {
  /** Undefined when the schedule has to be replaced, because the call that edited the show was interrupted. */
  readonly show: Parameters<Services['schedules']['create']>[1] | undefined
  readonly onReport: OnReport
}

async function makeSchedule(services: Scheduling, showId: string, { show, onReport }: NewSchedule): Promise<void> {
  const { schedules, records } = services
  if (show && (await schedules.exists(showId))) return
  try {
    if (!show) return await reschedule(services, showId)
    await schedules.create(showId, show)
  } catch (error) {
    if (!(error instanceof TaskInputError)) throw error
    return end(services, showId, { reason: `It could not be scheduled. ${error.message}`, onReport })
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
async function end(
  services: Scheduling,
  showId: string,
  { reason, onReport }: { readonly reason: string; readonly onReport: OnReport },
): Promise<void> {
  const { records, clock } = services
  const endedAt = new Date(clock.now()).toISOString()
  const state = await records.updateState(showId, (latest) =>
    latest.status === 'scheduled' ? { ...latest, status: 'ending', endedAt, endReason: reason } : latest,
  )
  if (state.endReason === reason) onReport(await report(services, { showId, sessionId: null, reason, failure: null }))
}
