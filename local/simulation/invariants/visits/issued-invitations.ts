import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import type { Show } from '../../../../lib/show/document/show.ts'
import { startInstant } from '../../../../lib/show/document/starts/start-times.ts'
import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { Visit } from '../../visits/visitor.ts'
import type { Evidence } from '../evidence.ts'

type Seen = Pick<Evidence, 'visits' | 'versions' | 'now'>

const PATH = /^\/shows\/([^/]+)\/invitations$/
const DAY = 86_400_000
/** Days for which an invitation to a series without a last day is valid, and the most for any. */
const [SERIES, MAX] = [90 * DAY, 366 * DAY]
/** Milliseconds by which the last day of a series may end before or after that of UTC. */
const ZONES = DAY / 2 + 2 * 3_600_000
/** Milliseconds for which an answer may be under way. */
const UNDER_WAY = 60_000

interface Issued {
  readonly showId: string
  readonly invitation: string
  readonly expiresAt: string
}

/**
 * Checks invitations without a chosen end by the description of `expiresAt`: they expire a day after the planned end of their show. Those
 * to a series expire a day after its last day, or else after 90 days. An invitation contains what was asked for.
 */
export function issuedInvitations({ visits, versions, now }: Seen): string[] {
  const issues = visits.filter(
    ({ method, address, status, at }) => method === 'POST' && PATH.test(address) && status === 200 && at <= now,
  )
  return [...Map.groupBy(issues, ({ address }) => PATH.exec(address)?.[1] ?? '')].flatMap(([showId, ofShow]) => {
    const documents = documentsOf(showId, versions)
    return ofShow.flatMap((visit) => {
      const issued = JSON.parse(visit.answer) as Issued
      const problems = [...contentProblems(issued), ...endProblems(issued, visit, documents)]
      return problems.map((problem) => `an invitation to ${showId.slice(0, 12)} ${problem}`)
    })
  })
}

function contentProblems({ showId, invitation, expiresAt }: Issued): string[] {
  const content = Buffer.from(invitation.split('.')[0] ?? '', 'base64url').toString()
  const stated = JSON.parse(content) as { readonly [field: string]: unknown }
  const wanted = { showId, expires: Date.parse(expiresAt) / 1000, role: 'publisher', data: 'Ada' }
  return Object.entries(wanted).flatMap(([field, value]) =>
    stated[field] === value
      ? []
      : [`has ${JSON.stringify(stated[field])} as ${field}, and not ${JSON.stringify(value)}`],
  )
}

interface Documents {
  /** The document that was posted, and those that replaced it. */
  readonly shows: readonly Show[]
  /** Every planned end, in milliseconds since the epoch; undefined before the show was live. */
  readonly plannedEnds: readonly (number | undefined)[]
}

function documentsOf(showId: string, versions: Evidence['versions']): Documents {
  const own = versions.filter(({ key, text }) => key.startsWith(`shows/${showId}/`) && text.startsWith('{'))
  const read = <Document>(pattern: RegExp) =>
    own.filter(({ key }) => pattern.test(key)).map(({ text }) => JSON.parse(text) as Document)
  return {
    shows: read<Pick<ShowRequest, 'show'>>(/\/(request|edits\/[^/]+)\.json$/).map(({ show }) => show),
    plannedEnds: [
      ...new Set(read<ShowState>(/\/state\.json$/).map(({ plannedEndAt }) => plannedEndAt && Date.parse(plannedEndAt))),
    ].map((end) => end || undefined),
  }
}

function endProblems({ expiresAt }: Issued, { at }: Visit, { shows, plannedEnds }: Documents): string[] {
  const expires = Date.parse(expiresAt)
  const isUsual = ({ from, to }: Span) => expires >= from - 1000 && expires <= to + UNDER_WAY
  const usual = shows.flatMap((show) => plannedEnds.map((plannedEnd) => usualEnd(show, plannedEnd, at)))
  return usual.some(isUsual) ? [] : [`of ${new Date(at).toISOString()} expires at ${expiresAt}`]
}

interface Span {
  readonly from: number
  readonly to: number
}

function usualEnd(show: Show, plannedEnd: number | undefined, at: number): Span {
  const { start, audienceWait } = show
  const length = (audienceWait + maxSecondsOf(show)) * 1000
  const exactly = (time: number): Span => ({ from: time, to: time })
  if (start && 'cron' in start) {
    if (start.until === undefined) return exactly(at + SERIES)
    const last = Date.parse(start.until) + 2 * DAY + length
    return { from: Math.min(last - ZONES, at + MAX), to: Math.min(last + ZONES, at + MAX) }
  }
  if (plannedEnd !== undefined) return exactly(plannedEnd + DAY)
  return exactly(Math.max(at, (start && startInstant(start)) ?? at) + length + DAY)
}
