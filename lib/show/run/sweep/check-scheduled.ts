import { MAX_DELAY } from '../../../aws/schedules.ts'
import type { Services } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import { instantOf } from '../../document/local-times.ts'
import type { StartOrder } from '../../document/start.ts'
import type { ShowRequest } from '../../state/request.ts'
import { report } from '../finish/report.ts'

/** Milliseconds after its time from which the sweep starts a show that nobody has started: until then its schedule may. */
const LATE = 900_000
/** Milliseconds after its time from which it is too late to start a show, as it is for its schedule. */
const TOO_LATE = MAX_DELAY * 1000
/** Milliseconds in which whoever accepts a show makes its schedule. */
const BEING_MADE = 120_000

/**
 * Looks after a show that waits for its time: makes the schedule that is not there, since whoever accepted the show broke off;
 * starts a show whose schedule was lost; ends, in words, one that it is too late for.
 */
export async function checkScheduled(services: Services, request: ShowRequest): Promise<'left' | 'started'> {
  const { showId, acceptedAt, show } = request
  const now = services.clock.now()
  if (!show.start) return 'left'
  const time = timeOf(show.start)
  if (time === undefined || now < time) {
    if (now >= Date.parse(acceptedAt) + BEING_MADE) await makeSchedule(services, showId, show.start)
    return 'left'
  }
  const late = now - time
  if (late < LATE) return 'left'
  if (late < TOO_LATE) return start(services, showId)
  const since = new Date(time).toISOString()
  await end(services, showId, `Nobody started it at its time, ${since}, and when that was noticed it was too late.`)
  return 'left'
}

/** Of a show that starts once. */
const timeOf = (start: StartOrder) => ('at' in start ? instantOf(start.at, start.zone) : undefined)

async function makeSchedule(services: Services, showId: string, start: StartOrder): Promise<void> {
  const { schedules, records } = services
  if (await schedules.isThere(showId)) return
  try {
    await schedules.create(showId, start)
  } catch (error) {
    if (!(error instanceof TaskInputError)) throw error
    return end(services, showId, `It could not be scheduled. ${error.message}`)
  }
  // Whoever has unscheduled it meanwhile has found no schedule to delete.
  if ((await records.readState(showId))?.status !== 'scheduled') await schedules.delete(showId)
}

/** Its schedule may call at the same moment: the state is changed once, and an execution starts once. */
async function start({ records, showExecutions }: Services, showId: string): Promise<'left' | 'started'> {
  const { status } = await records.updateState(showId, (latest) =>
    latest.status === 'scheduled' ? { ...latest, status: 'starting' } : latest,
  )
  if (status !== 'starting') return 'left'
  await showExecutions.start(showId, { showId })
  return 'started'
}

/** What is written first keeps it from being started; the sweep completes what breaks off behind it. */
async function end(services: Services, showId: string, reason: string): Promise<void> {
  const { records, clock } = services
  const endedAt = new Date(clock.now()).toISOString()
  const state = await records.updateState(showId, (latest) =>
    latest.status === 'scheduled' ? { ...latest, status: 'ending', endedAt, endReason: reason } : latest,
  )
  if (state.endReason === reason) await report(services, { showId, sessionId: null, reason, failure: null })
}
