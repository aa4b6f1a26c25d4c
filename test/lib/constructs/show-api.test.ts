import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, it } from 'vitest'
import { ShowApi } from '../../../lib/constructs/show-api.ts'
import { apiRoutes } from '../../../lib/workflow/api.ts'
import { CALLBACK_ROUTE } from '../../../lib/workflow/platform-events.ts'

describe('ShowApi', () => {
  it('asks callers of every route for a token, but of those under /public, and of the platform, which signs', () => {
    const stack = new Stack()
    const code = Code.fromInline('exports.handler = () => {}')
    const handler = new LambdaFunction(stack, 'Handler', {
      code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
    })
    new ShowApi(stack, 'Api', { handler, receiver: handler, issuer: 'https://issuer.example.com/', audience: 'apps' })
    const routes = Object.values(Template.fromStack(stack).findResources('AWS::ApiGatewayV2::Route'))
    const open = routes.filter(({ Properties }) => Properties.AuthorizationType !== 'JWT' || !Properties.AuthorizerId)
    expect(routes.map(({ Properties }) => Properties.RouteKey).sort()).toEqual(
      [...Object.keys(apiRoutes), CALLBACK_ROUTE].sort(),
    )
    expect(open.map(({ Properties }) => Properties.RouteKey)).toEqual([
      'GET /public/recordings/{archiveId}',
      CALLBACK_ROUTE,
    ])
  })
})
