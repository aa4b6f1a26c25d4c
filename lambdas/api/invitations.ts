import { maxSecondsOf } from '../../lib/show/document/duration.ts'
import { invitationOrder } from '../../lib/show/document/orders/invitation.ts'
import { endOfSeries } from '../../lib/show/document/series.ts'
import type { Show } from '../../lib/show/document/show.ts'
import { startInstant } from '../../lib/show/document/starts/start-times.ts'
import { isTerminal, type ShowState } from '../../lib/show/state/state.ts'
import { ApiProblem } from '../http/problem.ts'
import { noShow, ok, type Routes, readBody, showIdOf } from '../http/request.ts'

const DAY_MS = 86_400_000
/** Validity of an invitation to a recurring show without `until`. */
const SERIES_MS = 90 * DAY_MS
const MAX_MS = 366 * DAY_MS

export const invitationHandlers = {
  /** Signs an invitation. Nothing is recorded, so invitations cost nothing and have no number. */
  async 'POST /shows/{id}/invitations'(event, { records, invitations, variable, clock }) {
    const showId = showIdOf(event)
    const { expiresAt, ...participant } = readBody(event, invitationOrder)
    const [state, request] = await Promise.all([records.readState(showId), records.readRequest(showId)])
    if (!state || !request) throw noShow(showId)
    if (state.endedAt || isTerminal(state.status))
      throw new ApiProblem('wrong-show-state', `The show ${showId} is over, so it admits no participants.`)
    const now = clock.now()
    const usual = usualEnd(request.show, state, now)
    const end = expiresAt === undefined ? usual : Date.parse(expiresAt)
    refuseEnd(end, now, Math.max(usual, now + MAX_MS))
    const expires = Math.floor(end / 1000)
    const invitation = await invitations.issue({ ...participant, showId, epoch: state.invitationEpoch ?? 0, expires })
    const page = variable('JOIN_URL')
    return ok({
      showId,
      invitation,
      // In the fragment, which browsers send to no server.
      ...(page !== 'none' && { url: `${page}#invitation=${invitation}` }),
      expiresAt: new Date(expires * 1000).toISOString(),
    })
  },

  /**
   * Revokes what was issued before. An invitation that is issued later is valid. Participants can join an occurrence with an
   * invitation to its series, so those are revoked as well.
   */
  async 'DELETE /shows/{id}/invitations'(event, { records, clock }) {
    const showId = showIdOf(event)
    const state = await records.readState(showId)
    if (!state) throw noShow(showId)
    const revoke = (id: string) =>
      records.updateState(id, (latest) => ({ ...latest, invitationEpoch: (latest.invitationEpoch ?? 0) + 1 }))
    await revoke(showId)
    const series = state.scheduleId === undefined ? undefined : await records.readState(state.scheduleId)
    if (series) await revoke(series.showId)
    return ok({ showId, revokedAt: new Date(clock.now()).toISOString() })
  },
} satisfies Partial<Routes>

/** Returns when an invitation expires by default, in milliseconds since the epoch. */
function usualEnd(show: Show, { plannedEndAt }: ShowState, now: number): number {
  const { start, audienceWait } = show
  const length = (audienceWait + maxSecondsOf(show)) * 1000
  if (start && 'cron' in start) {
    const last = endOfSeries(start)
    return last === undefined ? now + SERIES_MS : Math.min(last + length + DAY_MS, now + MAX_MS)
  }
  const begins = Math.max(now, (start && startInstant(start)) ?? now)
  return (plannedEndAt === undefined ? begins + length : Date.parse(plannedEndAt)) + DAY_MS
}

/** @throws {@link ApiProblem} for an end that has passed, or is too late */
function refuseEnd(end: number, now: number, latest: number): void {
  const refuse = (message: string) =>
    new ApiProblem('invalid-body', 'The body is not valid; see problems.', [{ path: 'expiresAt', message }])
  if (end <= now) throw refuse('has passed')
  if (end > latest) throw refuse(`must be at most ${new Date(latest).toISOString()}`)
}
