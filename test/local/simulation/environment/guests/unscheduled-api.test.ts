import { describe, expect, it } from 'vitest'
import { createUnscheduledApi } from '../../../../../local/simulation/environment/guests/unscheduled-api.ts'

interface Event {
  readonly rawPath: string
  readonly body?: string
  readonly requestContext: { readonly authorizer?: { readonly jwt: { readonly claims: object } } }
}

const handlers = new Map(
  ['Api', 'Watch', 'Join'].map((name) => [
    name,
    () => async (event: unknown) => {
      const { rawPath, body, requestContext } = event as Event
      const claims = requestContext.authorizer?.jwt.claims
      return { statusCode: 200, body: JSON.stringify({ name, rawPath, body, claims }) }
    },
  ]),
)
const api = createUnscheduledApi({ handlers, services: {} as never, clock: { now: () => 0 } })
const answered = async (path: string, init?: RequestInit) =>
  (await api(new Request(`http://api.invalid${path}`, init))).json()

describe('createUnscheduledApi', () => {
  it('calls the function that serves a path, with the claims of any token', async () => {
    const claims = Buffer.from(JSON.stringify({ sub: 'visitor' })).toString('base64url')
    const headers = { authorization: `Bearer none.${claims}.none` }
    expect(await answered('/watch/x?a=b')).toEqual({ name: 'Watch', rawPath: '/watch/x' })
    expect(await answered('/assets/watch.js')).toMatchObject({ name: 'Watch' })
    expect(await answered('/shows/x', { headers })).toMatchObject({ name: 'Api', claims: { sub: 'visitor' } })
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    expect(await answered('/public/join', init)).toEqual({ name: 'Join', rawPath: '/public/join', body: '{}' })
  })
})
