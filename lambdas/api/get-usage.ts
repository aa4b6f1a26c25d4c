import { MAX_DAYS } from '../../lib/api/queries.ts'
import type { Services } from '../../lib/services.ts'
import { ApiProblem } from '../http/problem.ts'
import { type ApiEvent, type Asked, ok } from '../http/request.ts'

const DAY_MS = 86_400_000
/** Days before `to`. */
const DEFAULT_DAYS = 30

/** `GET /usage`: lists the recorded days. Insights report a day up to two days later. */
export async function getUsage(_event: ApiEvent, { usageRecords, clock }: Services, { query }: Asked<'GET /usage'>) {
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const { to = dateOf(clock.now()) } = query
  const { from = dateOf(Date.parse(to) - DEFAULT_DAYS * DAY_MS) } = query
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1) throw refused('to', `must not be before ${from}`)
  if (days > MAX_DAYS) throw refused('from', `must be at most ${MAX_DAYS} days before ${to}`)
  return ok({ from, to, days: await usageRecords.readDays(from, to) })
}

const refused = (path: string, message: string) =>
  new ApiProblem('invalid-query', 'The query is not valid; see problems.', [{ path, message }])
