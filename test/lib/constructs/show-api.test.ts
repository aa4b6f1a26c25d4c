import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../lib/constructs/settings.ts'
import { ShowApi } from '../../../lib/constructs/show-api.ts'
import { apiRoutes } from '../../../lib/workflow/api.ts'
import { CALLBACK_ROUTE } from '../../../lib/workflow/platform-events.ts'
import { watchRoutes } from '../../../lib/workflow/watch.ts'

const synthesize = (roles: object = {}) => {
  const stack = new Stack()
  const code = Code.fromInline('exports.handler = () => {}')
  const handler = new LambdaFunction(stack, 'Handler', { code, handler: 'index.handler', runtime: Runtime.NODEJS_24_X })
  const issuer = 'https://issuer.example.com/'
  const settings = readSettings({ platform: { url: 'https://platform.example.com' }, identity: { issuer, ...roles } })
  new ShowApi(stack, 'Api', { handler, watcher: handler, receiver: handler, issuer, settings })
  return Template.fromStack(stack)
}
const scopesOf = (roles: object) =>
  Object.fromEntries(
    Object.values(synthesize(roles).findResources('AWS::ApiGatewayV2::Route')).map(({ Properties }) => [
      Properties.RouteKey,
      Properties.AuthorizationScopes,
    ]),
  )
const open = ['GET /public/recordings/{archiveId}', ...Object.keys(watchRoutes), CALLBACK_ROUTE]

describe('ShowApi', () => {
  it('asks callers of every route for a token, but of those under /public, of watch pages, which are signed, and of the platform, which signs', () => {
    const routes = Object.values(synthesize().findResources('AWS::ApiGatewayV2::Route'))
    const unasked = routes.filter(
      ({ Properties }) => Properties.AuthorizationType !== 'JWT' || !Properties.AuthorizerId,
    )
    expect(routes.map(({ Properties }) => Properties.RouteKey).sort()).toEqual(
      [...Object.keys(apiRoutes), ...Object.keys(watchRoutes), CALLBACK_ROUTE].sort(),
    )
    expect(unasked.map(({ Properties }) => Properties.RouteKey)).toEqual(open)
  })

  it('asks for the scope of either role where roles are scopes, but of those that it does not ask for a token', () => {
    for (const [key, scopes] of Object.entries(scopesOf({ viewer: 'apps/look', operator: 'apps/act' })))
      expect(scopes, key).toEqual(open.includes(key) ? undefined : ['apps/look', 'apps/act'])
  })

  it('asks for no scope where roles stand in another claim, of which the authorizer knows nothing', () => {
    expect(new Set(Object.values(scopesOf({ roleClaim: 'groups' })))).toEqual(new Set([undefined]))
  })

  it('lets callers ask fifty times a second, those it does not know ten times, and a room full of people watch', () => {
    const template = synthesize()
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'))
    expect(stage?.Properties.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 })
    const limit = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 }
    const watching = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 }
    expect(stage?.Properties.RouteSettings).toEqual(
      Object.fromEntries(open.map((key) => [key, key in watchRoutes ? watching : limit])),
    )
    const routes = Object.entries(template.findResources('AWS::ApiGatewayV2::Route'))
    const named = routes.filter(([, { Properties }]) => open.includes(Properties.RouteKey)).map(([id]) => id)
    expect(stage?.DependsOn).toEqual(expect.arrayContaining(named)) // CloudFormation makes them first
  })

  it('writes who asked for what, and nothing that was asked or answered', () => {
    const [stage] = Object.values(synthesize().findResources('AWS::ApiGatewayV2::Stage'))
    const format: Record<string, string> = JSON.parse(stage?.Properties.AccessLogSettings.Format)
    expect(Object.values(format)).toContain('$context.authorizer.claims.sub')
    expect(Object.values(format).filter((value) => /body|header|querystring|\$context\.path\b/i.test(value))).toEqual(
      [],
    )
  })
})
