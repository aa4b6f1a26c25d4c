import { describe, expect, it } from 'vitest'
import { admittedParticipants } from '../../../../../local/simulation/invariants/visits/admitted-participants.ts'
import { visited } from './visited.ts'

const shows = [{ state: { sessionId: 's' } }] as never
const claims = { scope: 'session.connect', session_id: 's', role: 'subscriber', iat: 0, exp: 3_600 }
const issued = (changed: object) => {
  const token = `.${Buffer.from(JSON.stringify({ ...claims, ...changed })).toString('base64url')}.`
  return visited('/shows/a/tokens', { sessionId: 's', token }, { method: 'POST' })
}
const problemsOf = (changed: object) => admittedParticipants({ visits: [issued(changed)], shows, now: 1 })

describe('admittedParticipants', () => {
  it('accepts a token for the session of a show', () => {
    expect(problemsOf({})).toEqual([])
  })

  it.each([
    [{ scope: 'project' }, 'scope'],
    [{ session_id: 'other' }, 'session'],
    [{ role: 'moderator' }, 'role'],
    [{ connection_data: 'Eve' }, 'data'],
    [{ exp: 7_200 }, 'validity'],
  ])('finds a token with %j', (changed, claim) => {
    expect(problemsOf(changed)).toEqual([`/shows/a/tokens issues a token with a wrong ${claim}`])
  })
})
