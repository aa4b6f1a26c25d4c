import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda'
import type { JWTPayload } from 'jose'
import { createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import type { AccessFacts } from '../../../../local/cloud/http/access-log.ts'
import { createHttpApi } from '../../../../local/cloud/http/http-api.ts'
import { createIssuer } from '../../../../local/cloud/http/issuer.ts'

export const NOW = Date.parse('2026-01-01T00:00:00Z')
export const ISSUER = 'http://issuer.invalid'
export const authorizer = { issuer: ISSUER, audience: ['showrunner'] }

export const issuer = await createIssuer(() => ISSUER)
/** Another issuer of the same name. */
export const stranger = await createIssuer(() => ISSUER)

/** An API whose function answers with `result`, and the events that it got. */
export function openApi(result: unknown = { statusCode: 200 }, clock: SteppedClock = createSteppedClock(NOW)) {
  const events: APIGatewayProxyEventV2WithJWTAuthorizer[] = []
  const invoke = async (event: unknown) => {
    events.push(event as APIGatewayProxyEventV2WithJWTAuthorizer)
    return typeof result === 'function' ? result() : result
  }
  const accesses: AccessFacts[] = []
  const api = createHttpApi({
    onAccess: (facts) => void accesses.push(facts),
    routes: [
      { key: 'GET /rare', throttle: { rate: 1, burst: 1 }, invoke },
      { key: 'GET /shows/{id}', invoke },
      { key: 'POST /shows', invoke },
      { key: 'GET /shows/latest', invoke },
      { key: 'GET /shows/{id}/parts/{part}', invoke },
      { key: 'GET /private', authorizer, invoke },
      { key: 'GET /scoped', authorizer, scopes: ['shows.read', 'shows.write'], invoke },
    ],
    clock,
    newId: () => 'id-1',
    fetch: async (input, init) => issuer.fetch(new Request(input, init)),
  })
  const send = (path: string, init?: RequestInit) => api(new Request(`http://127.0.0.1:3000${path}`, init))
  const enter = (token: string, path = '/private') => send(path, { headers: { authorization: token } })
  return { events, accesses, send, enter }
}

export const token = (claims: JWTPayload = {}, by = issuer) =>
  by.sign({ sub: 'ann', ...claims }, { audience: 'showrunner', seconds: 60, now: NOW })
