import { MAX_DAYS } from '../../lib/api/queries.ts'
import { readWaiting } from '../../lib/publish/queue/waiting-publishes.ts'
import { ApiProblem } from '../http/problem.ts'
import { ok, type Routes } from '../http/request.ts'

const DAY_MS = 86_400_000
/** Days before `to`. */
const DEFAULT_DAYS = 30

/** Seconds: far less than the time between the publication of a new key and its first signature. */
const MAX_KEY_AGE = 300

export const operationRoutes = {
  /** Lists the recorded days. Insights report a day up to two days later. */
  async 'GET /usage'(_event, { usageRecords, clock }, { query }) {
    const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
    const { to = dateOf(clock.now()) } = query
    const { from = dateOf(Date.parse(to) - DEFAULT_DAYS * DAY_MS) } = query
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    if (days < 1) throw refused('to', `must not be before ${from}`)
    if (days > MAX_DAYS) throw refused('from', `must be at most ${MAX_DAYS} days before ${to}`)
    return ok({ from, to, days: await usageRecords.readDays(from, to) })
  },

  async 'GET /publishing'(_event, services) {
    return ok({ items: await readWaiting(services) })
  },

  async 'GET /.well-known/jwks.json'(_event, { callbackKeys }) {
    const answer = ok(await callbackKeys.published())
    return { ...answer, headers: { ...answer.headers, 'cache-control': `public, max-age=${MAX_KEY_AGE}` } }
  },
} satisfies Partial<Routes>

const refused = (path: string, message: string) =>
  new ApiProblem('invalid-query', 'The query is not valid; see problems.', [{ path, message }])
