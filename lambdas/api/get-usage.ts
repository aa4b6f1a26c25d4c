import { MAX_DAYS } from '../../lib/api/queries.ts'
import type { Services } from '../../lib/services.ts'
import { ApiProblem } from '../http/problem.ts'
import { type ApiEvent, type Asked, ok } from '../http/request.ts'

const DAY = 86_400_000
/** Days before today that are told unless asked otherwise. */
const USUAL = 30

/** `GET /usage`: the days that were recorded; Insights tell of a day only up to two days after it. */
export async function getUsage(_event: ApiEvent, { usageRecords, clock }: Services, { query }: Asked<'GET /usage'>) {
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const { to = dateOf(clock.now()) } = query
  const { from = dateOf(Date.parse(to) - USUAL * DAY) } = query
  const days = (Date.parse(to) - Date.parse(from)) / DAY + 1
  if (days < 1) throw refused('to', `must not be before ${from}`)
  if (days > MAX_DAYS) throw refused('from', `must be at most ${MAX_DAYS} days before ${to}`)
  return ok({ from, to, days: await usageRecords.readDays(from, to) })
}

const refused = (path: string, message: string) =>
  new ApiProblem(400, 'The query is not valid; see problems.', [{ path, message }])
