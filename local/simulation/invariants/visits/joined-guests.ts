import { exceptionsIn } from '../../trace.ts'
import type { Doors } from '../../visits/guests.ts'
import type { Evidence } from '../evidence.ts'
import { requestIn } from './recorded-documents.ts'

/** Statuses of a show that is over. */
const OVER = ['succeeded', 'failed', 'stopped', 'cancelled', 'degraded']
/** Seconds after which a caller may ask again at most: a start can be moved. */
const MAX_RETRY = 300
/** Seconds after which a caller may ask again at least, and at most of a late show: after a tenth of its delay. */
const MIN_RETRY = 2
const MAX_LATE_RETRY = 30

/** Matches a corrupt answer of the platform, by which a show has a session that does not exist. */
const CORRUPT_SESSION = /platform createSession .*garbage/

interface Admission {
  readonly showId: string
  readonly sessionId: string
}

/**
 * Checks what participants with an invitation are answered (docs/deploy.md): a token while the show, or an occurrence of the
 * series, has a session; before it, when to ask again; and after the last one, that it is over. A fault may delay a start.
 */
export function joinedGuests({
  joins,
  objects,
  trace,
  shows,
}: Pick<Evidence, 'joins' | 'objects' | 'trace' | 'shows'>): string[] {
  const hasCorruptSession = exceptionsIn(trace).some(({ line }) => CORRUPT_SESSION.test(line))
  return joins.flatMap(({ showId, doors, visit: { status, answer, headers, at } }) => {
    const isSeries = 'cron' in (requestIn(objects, showId)?.show.start ?? {})
    const where = `a guest of ${showId.slice(0, 12)} at ${new Date(at).toISOString()} is`
    const open = openIn(doors, isSeries)
    if (status === 500 && hasCorruptSession) return []
    if (open.length > 0) {
      const { showId: joined, sessionId } = (status === 200 ? JSON.parse(answer) : {}) as Partial<Admission>
      return open.some((one) => one.showId === joined && one.sessionId === sessionId)
        ? []
        : [`${where} answered ${status} instead of the session of ${open[0]?.showId.slice(0, 12)}`]
    }
    if (status === 200) return [`${where} admitted, and the show has no session`]
    const [first] = doors.shows
    if (!isSeries) {
      const wanted = first && isOver(first) ? 410 : 409
      if (status !== wanted) return [`${where} answered ${status} instead of ${wanted}`]
    }
    const isContinued = shows.some(({ startedAt, request }) => request?.scheduleId === showId && startedAt > at)
    if (status === 410 && isSeries && isContinued) return [`${where} answered 410, and the series continues`]
    if (status !== 409) return status === 410 ? [] : [`${where} answered ${status}`]
    const retry = Number(headers['retry-after'])
    const { startsAt } = JSON.parse(answer) as { startsAt?: string }
    const start = startsAt === undefined ? Number.NaN : Date.parse(startsAt)
    if (first?.status === 'scheduled' && !isSeries && startsAt === undefined)
      return [`${where} answered without its start`]
    const isLate = start <= at && !exceptionsIn(trace).some((one) => one.at <= at)
    return isAllowedRetry(retry, start - at) && !isLate
      ? []
      : [`${where} asked to repeat after ${retry} s, of a start at ${startsAt}`]
  })
}

/** @param until milliseconds until the start, negative when it is late; NaN when the answer does not name it */
function isAllowedRetry(seconds: number, until: number): boolean {
  if (Number.isNaN(until)) return Number.isInteger(seconds) && seconds >= MIN_RETRY && seconds <= MAX_LATE_RETRY
  const allowed = until > 0 ? Math.min(MAX_RETRY, until / 1000) : Math.min(MAX_LATE_RETRY, -until / 10_000)
  return seconds === Math.max(MIN_RETRY, Math.ceil(allowed))
}

type Door = Doors['shows'][number]

const isOver = ({ endedAt, status }: Door) => endedAt !== undefined || OVER.includes(status)

/** Returns the shows that have a session and are not over. A series itself has none. */
const openIn = ({ shows }: Doors, isSeries: boolean): Door[] =>
  shows.slice(isSeries ? 1 : 0).filter((one) => one.sessionId !== undefined && !isOver(one))
