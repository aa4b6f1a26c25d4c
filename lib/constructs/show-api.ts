import { HttpApi, type HttpMethod, HttpNoneAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { apiRoutes, isPublicRoute } from '../workflow/api.ts'
import { CALLBACK_ROUTE } from '../workflow/platform-events.ts'

export interface ShowApiProps {
  readonly handler: IFunction
  /** Takes the platform's callbacks. */
  readonly receiver: IFunction
  readonly issuer: string
  readonly audience: string
}

/**
 * The HTTP API that event apps call: every route behind a JWT authorizer, but for what was published for everybody
 * and for the platform's callbacks, which are signed.
 */
export class ShowApi extends Construct {
  readonly url: string

  constructor(scope: Construct, id: string, { handler, receiver, issuer, audience }: ShowApiProps) {
    super(scope, id)
    const api = new HttpApi(this, 'Http', {
      apiName: 'showrunner',
      description: 'Start shows, follow them, find their recordings.',
      defaultAuthorizer: new HttpJwtAuthorizer('Caller', issuer, { jwtAudience: [audience] }),
    })
    const integration = new HttpLambdaIntegration('Handler', handler)
    for (const key of Object.keys(apiRoutes)) {
      const [method, path] = key.split(' ') as [HttpMethod, string]
      const authorizer = isPublicRoute(key) ? { authorizer: new HttpNoneAuthorizer() } : {}
      api.addRoutes({ path, methods: [method], integration, ...authorizer })
    }
    const [method, path] = CALLBACK_ROUTE.split(' ') as [HttpMethod, string]
    api.addRoutes({
      ...{ path, methods: [method], authorizer: new HttpNoneAuthorizer() },
      integration: new HttpLambdaIntegration('Receiver', receiver),
    })
    this.url = api.apiEndpoint
  }
}
