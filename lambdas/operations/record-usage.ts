import { missingDays, recordDay, recordShow } from '../../lib/operations/usage/usage.ts'
import { allSettledLimited, firstRetryable } from '../../lib/show/run/concurrency.ts'
import { taskHandler } from '../middleware/task.ts'

/** Records what is due; a failure does not hold up the others. The next scheduled call retries it. */
export const handler = taskHandler('recordUsage', async (services, _event, log) => {
  const [showIds, dates] = await Promise.all([services.usageRecords.listAwaiting(), missingDays(services)])
  const shows = await allSettledLimited(showIds.map((showId) => () => recordShow(services, showId, log)))
  const days = await allSettledLimited(dates.map((date) => () => recordDay(services, date)))
  const failures = [...shows, ...days].flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  if (failures.length > 0) throw firstRetryable(failures)
  return {
    shows: showIds.filter((_, index) => (shows[index] as PromiseFulfilledResult<boolean>).value),
    days: dates,
  }
})
