import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, it } from 'vitest'
import { apiRoutes, UNMATCHED_ROUTE } from '../../../../lib/api/api.ts'
import { watchRoutes } from '../../../../lib/api/watch-routes.ts'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import { ShowHttpApi } from '../../../../lib/constructs/http/show-api.ts'
import { CALLBACK_ROUTE } from '../../../../lib/events/platform-events.ts'
import { createHttpApi } from '../../../../local/cloud/http/http-api.ts'
import { createIssuer } from '../../../../local/cloud/http/issuer.ts'

const settingsOf = (roles: object = {}, others: object = {}) =>
  readSettings({
    platform: { url: 'https://platform.example.com' },
    identity: { issuer: 'https://issuer.example.com/', ...roles },
    ...others,
  })
const synthesize = (roles: object = {}, others: object = {}) => {
  const stack = new Stack()
  const code = Code.fromInline('exports.handler = () => {}')
  const handler = new LambdaFunction(stack, 'Handler', { code, handler: 'index.handler', runtime: Runtime.NODEJS_24_X })
  const settings = settingsOf(roles, others)
  const { issuer } = settings.identity
  new ShowHttpApi(stack, 'Api', {
    ...{ handler, watcher: handler, joiner: handler, receiver: handler },
    ...{ issuer, settings },
  })
  return Template.fromStack(stack)
}
const scopesOf = (roles: object) =>
  Object.fromEntries(
    Object.values(synthesize(roles).findResources('AWS::ApiGatewayV2::Route')).map(({ Properties }) => [
      Properties.RouteKey,
      Properties.AuthorizationScopes,
    ]),
  )
const open = [
  'POST /public/join',
  'GET /public/recordings/{archiveId}',
  'GET /.well-known/jwks.json',
  ...Object.keys(watchRoutes),
  CALLBACK_ROUTE,
  UNMATCHED_ROUTE,
]

describe('ShowHttpApi', () => {
  it('asks callers of every route for a token, but of those under /public, of watch pages, which are signed, and of the platform, which signs', () => {
    const routes = Object.values(synthesize().findResources('AWS::ApiGatewayV2::Route'))
    const unasked = routes.filter(
      ({ Properties }) => Properties.AuthorizationType !== 'JWT' || !Properties.AuthorizerId,
    )
    expect(routes.map(({ Properties }) => Properties.RouteKey).sort()).toEqual(
      [...Object.keys(apiRoutes), ...Object.keys(watchRoutes), CALLBACK_ROUTE, UNMATCHED_ROUTE].sort(),
    )
    expect(unasked.map(({ Properties }) => Properties.RouteKey)).toEqual(open)
  })

  it.each(['scope', 'scp'])(
    'asks for a scope of the roles that may call a route where roles are in %s',
    (roleClaim) => {
      const words = { viewer: 'apps/look', operator: 'apps/act', admin: 'apps/delete' }
      const scopes = scopesOf({ roleClaim, ...words })
      expect(scopes['POST /shows/{id}/stop']).toEqual(['apps/act', 'apps/delete'])
      expect(scopes['GET /shows']).toEqual(['apps/look', 'apps/act', 'apps/delete'])
      expect(scopes['DELETE /recordings/{archiveId}']).toEqual(['apps/delete'])
      expect(open.map((key) => scopes[key])).toEqual(open.map(() => undefined))
    },
  )

  it('names a scope once where two roles are one word', () => {
    expect(scopesOf({ admin: 'showrunner/operator' })['POST /shows/{id}/stop']).toEqual(['showrunner/operator'])
  })

  it('asks for no scope where roles are in another claim, into which the authorizer does not look', () => {
    expect(new Set(Object.values(scopesOf({ roleClaim: 'groups' })))).toEqual(new Set([undefined]))
  })

  it('limits each route by its class, as the settings say', () => {
    const template = synthesize(
      {},
      { limits: { control: { rate: 700 }, watch: { burst: 3 }, callbacks: { rate: 150 } } },
    )
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'))
    const { DefaultRouteSettings: others, RouteSettings: own } = stage?.Properties ?? {}
    const limitOf = (key: string) => {
      const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = own[key] ?? others
      return [rate, burst]
    }
    expect(limitOf('POST /shows/{id}/stop')).toEqual([700, 1_000])
    expect(limitOf('DELETE /recordings/{archiveId}')).toEqual([700, 1_000])
    expect(limitOf('GET /shows')).toEqual([50, 100])
    expect(limitOf('GET /public/recordings/{archiveId}')).toEqual([10, 20])
    expect(limitOf('POST /public/join')).toEqual([50, 200])
    expect(limitOf('GET /watch/{archiveId}/playlist')).toEqual([200, 3])
    expect(limitOf(CALLBACK_ROUTE)).toEqual([150, 1_000])
    const routes = Object.entries(template.findResources('AWS::ApiGatewayV2::Route'))
    expect(stage?.DependsOn).toEqual(expect.arrayContaining(routes.map(([id]) => id))) // CloudFormation makes them first
  })

  it('lets pages of no other origin call it by default', () => {
    const [api] = Object.values(synthesize().findResources('AWS::ApiGatewayV2::Api'))
    expect(api?.Properties).not.toHaveProperty('CorsConfiguration')
  })

  it('lets pages of the origins in the settings call every route, without cookies', () => {
    const allowedOrigins = ['https://app.example.com', 'http://localhost:3000']
    const [api] = Object.values(synthesize({}, { allowedOrigins }).findResources('AWS::ApiGatewayV2::Api'))
    const { CorsConfiguration: cors } = api?.Properties ?? {}
    expect(cors).toEqual({
      AllowOrigins: allowedOrigins,
      AllowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      AllowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-none-match'],
      ExposeHeaders: ['etag', 'location', 'retry-after', 'allow'],
      MaxAge: 600,
    })
    const methods = Object.keys(apiRoutes).map((key) => key.split(' ')[0])
    expect([...new Set(methods)].filter((method) => !cors.AllowMethods.includes(method))).toEqual([])
  })

  it.each([
    '*',
    'https://*.example.com',
    'https://app.example.com/',
    'http://app.example.com',
    'null',
    'https://App.example.com',
    'https://app.example.com:443',
    'https://app.example.com?x',
    'https://ada@app.example.com',
    'https://[app',
  ])('refuses %s as an allowed origin', (origin) => {
    expect(() => settingsOf({}, { allowedOrigins: [origin] })).toThrow('allowedOrigins.0: must be an origin')
  })

  it('keeps room for an operator’s stop while a program without a token sends four hundred in a second', async () => {
    const clock = createSteppedClock(Date.parse('2026-01-01T00:00:00Z'))
    const issuer = await createIssuer(() => 'http://issuer.invalid')
    const throttle = settingsOf().limits.control
    const authorizer = { issuer: 'http://issuer.invalid', audience: ['showrunner'] }
    const api = createHttpApi({
      routes: [{ key: 'POST /shows/{id}/stop', authorizer, throttle, invoke: async () => ({ statusCode: 200 }) }],
      clock,
      newId: () => 'id',
      fetch: async (input, init) => issuer.fetch(new Request(input, init)),
    })
    const token = await issuer.sign({ sub: 'ops' }, { audience: 'showrunner', seconds: 600, now: clock.now() })
    const stop = async (headers: Record<string, string> = {}) =>
      (await api(new Request('http://127.0.0.1/shows/a/stop', { method: 'POST', headers }))).status
    for (let second = 0; second < 5; second++) {
      const flood = await Promise.all(Array.from({ length: 400 }, () => stop()))
      expect(new Set(flood)).toEqual(new Set([401]))
      expect(await stop({ authorization: `Bearer ${token}` })).toBe(200)
      await clock.advance(1_000)
    }
  })

  it('writes who asked for what, and nothing that was asked or answered', () => {
    const [stage] = Object.values(synthesize().findResources('AWS::ApiGatewayV2::Stage'))
    const format: Record<string, string> = JSON.parse(stage?.Properties.AccessLogSettings.Format)
    const wanted = ['routeKey', 'path', 'status', 'authorizer.claims.sub', 'integration.requestId']
    expect(Object.values(format)).toEqual(expect.arrayContaining(wanted.map((name) => `$context.${name}`)))
    expect(Object.values(format).filter((value) => /body|header|query/i.test(value))).toEqual([])
  })
})
