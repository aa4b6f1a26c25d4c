import { missingDays, recordDay, recordShow } from '../../lib/operations/usage/usage.ts'
import { allSettledLimited, firstRetryable } from '../../lib/show/run/concurrency.ts'
import { taskHandler } from '../middleware/task.ts'

/**
 * Records what is due. The next scheduled call retries what failed: of thousands of shows, one often fails. Only if everything
 * failed, the call fails too, and is repeated in a minute.
 */
export const handler = taskHandler('recordUsage', async (services, _event, log) => {
  const [showIds, dates] = await Promise.all([services.usageRecords.listAwaiting(), missingDays(services)])
  const shows = await allSettledLimited(showIds.map((showId) => () => recordShow(services, showId, log)))
  const days = await allSettledLimited(dates.map((date) => () => recordDay(services, date)))
  const names = [...showIds, ...dates]
  const failures = [...shows, ...days].flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ name: names[index] ?? '', error: outcome.reason as unknown }] : [],
  )
  if (failures.length > 0 && failures.length === names.length) throw firstRetryable(failures.map(({ error }) => error))
  for (const { name, error } of failures) log.error('not recorded', { of: name, error })
  return {
    shows: showIds.filter((_, index) => isRecorded(shows[index])),
    days: dates.filter((_, index) => days[index]?.status === 'fulfilled'),
    failed: failures.map(({ name }) => name),
  }
})

const isRecorded = (outcome: PromiseSettledResult<boolean> | undefined) =>
  outcome?.status === 'fulfilled' && outcome.value
