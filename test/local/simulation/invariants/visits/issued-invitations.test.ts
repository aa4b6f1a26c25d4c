import { describe, expect, it } from 'vitest'
import { issuedInvitations } from '../../../../../local/simulation/invariants/visits/issued-invitations.ts'
import { version } from '../made-up-evidence.ts'

const [AT, HOUR, DAY] = [Date.UTC(2030, 0, 1), 3_600_000, 86_400_000]
const once = { audienceWait: 600, duration: 3_000 }

const judge = (
  expires: number,
  { show = once as object, state = {}, issued = {} }: { show?: object; state?: object; issued?: object } = {},
) => {
  const expiresAt = new Date(expires).toISOString()
  const content = { showId: 'a-show', expires: expires / 1000, role: 'publisher', data: 'Ada', ...issued }
  const invitation = `${Buffer.from(JSON.stringify(content)).toString('base64url')}.signature`
  const visit = { method: 'POST', address: '/shows/a-show/invitations', status: 200, at: AT }
  return issuedInvitations({
    visits: [{ ...visit, answer: JSON.stringify({ showId: 'a-show', invitation, expiresAt }) }] as never,
    versions: [
      version('1', 'shows/a-show/request.json', { text: JSON.stringify({ show }) }),
      version('2', 'shows/a-show/state.json', { text: JSON.stringify(state) }),
    ],
    now: AT,
  })
}

describe('issuedInvitations', () => {
  it('accepts a day after the planned end, and after the latest end of a show that is not live', () => {
    const plannedEndAt = new Date(AT + 2 * HOUR).toISOString()
    expect(judge(AT + 2 * HOUR + DAY, { state: { plannedEndAt } })).toEqual([])
    expect(judge(AT + HOUR + DAY)).toEqual([])
    const start = { at: '2030-01-02T00:00:00', zone: 'UTC' }
    expect(judge(AT + DAY + HOUR + DAY, { show: { ...once, start } })).toEqual([])
    expect(judge(AT + HOUR + DAY, { show: { ...once, start } })).toHaveLength(1)
    expect(judge(AT + HOUR)).toEqual([
      'an invitation to a-show of 2030-01-01T00:00:00.000Z expires at 2030-01-01T01:00:00.000Z',
    ])
  })

  it('accepts a day after the last day of a series, and 90 days for one without', () => {
    const start = { cron: '0 9 * * ? *', zone: 'UTC' }
    expect(judge(AT + 90 * DAY, { show: { ...once, start } })).toEqual([])
    const until = '2030-01-10'
    expect(judge(Date.parse(until) + 2 * DAY + HOUR, { show: { ...once, start: { ...start, until } } })).toEqual([])
    expect(judge(Date.parse(until), { show: { ...once, start: { ...start, until } } })).toHaveLength(1)
  })

  it('finds another content than was asked for', () => {
    expect(judge(AT + HOUR + DAY, { issued: { role: 'moderator' } })).toEqual([
      'an invitation to a-show has "moderator" as role, and not "publisher"',
    ])
  })
})
