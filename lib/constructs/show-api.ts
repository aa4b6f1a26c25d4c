import { type CfnStage, HttpApi, type HttpMethod, HttpNoneAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { apiRoutes, isPublicRoute } from '../workflow/api.ts'
import { CALLBACK_ROUTE } from '../workflow/platform-events.ts'
import { watchRoutes } from '../workflow/watch.ts'
import { accept } from './findings.ts'
import { Log } from './log.ts'
import type { Settings } from './settings.ts'

export interface ShowApiProps {
  readonly handler: IFunction
  /** Serves watch pages. */
  readonly watcher: IFunction
  /** Takes the platform's callbacks. */
  readonly receiver: IFunction
  readonly issuer: string
  readonly settings: Pick<Settings, 'stage' | 'identity' | 'logs'>
}

/** Requests a second, and how many more at one moment. Beyond them the caller is told 429 and no function is called. */
const THROTTLE = { throttlingRateLimit: 50, throttlingBurstLimit: 100 } as const
/** Of what anybody may call without saying who they are. */
const PUBLIC_THROTTLE = { throttlingRateLimit: 10, throttlingBurstLimit: 20 } as const
/** Of watch pages: a room full of people opens one link at once, and each page asks for half a dozen things. */
const WATCH_THROTTLE = { throttlingRateLimit: 200, throttlingBurstLimit: 400 } as const

/** What the access log tells of a request: whose it was and what became of it, and nothing that it carried. */
const ACCESS = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  address: '$context.identity.sourceIp',
  caller: '$context.authorizer.claims.sub',
  error: '$context.authorizer.error',
} as const

/**
 * The HTTP API that event apps call: every route behind a JWT authorizer, but for what was published for everybody
 * and for the platform's callbacks, which are signed.
 */
export class ShowApi extends Construct {
  readonly url: string
  readonly apiId: string

  constructor(scope: Construct, id: string, { handler, watcher, receiver, issuer, settings }: ShowApiProps) {
    super(scope, id)
    const { stage, identity, logs } = settings
    const api = new HttpApi(this, 'Http', {
      apiName: `showrunner-${stage}`,
      description: 'Start shows, follow them, find their recordings.',
      defaultAuthorizer: new HttpJwtAuthorizer('Caller', issuer, { jwtAudience: [identity.audience] }),
    })
    const integration = new HttpLambdaIntegration('Handler', handler)
    const open: string[] = []
    const addRoute = (key: string, to: HttpLambdaIntegration, openTo?: string) => {
      const [method, path] = key.split(' ') as [HttpMethod, string]
      const access = openTo ? { authorizer: new HttpNoneAuthorizer() } : scopesFor(identity)
      const routes = api.addRoutes({ path, methods: [method], integration: to, ...access })
      if (!openTo) return
      open.push(key)
      for (const route of routes) {
        accept(route, 'APIG4', openTo)
        api.defaultStage?.node.addDependency(route) // which names it below
      }
    }
    for (const key of Object.keys(apiRoutes))
      addRoute(key, integration, isPublicRoute(key) ? 'It serves what was published for everybody.' : undefined)
    const watching = new HttpLambdaIntegration('Watcher', watcher)
    for (const key of Object.keys(watchRoutes))
      addRoute(key, watching, 'People watch without an account: the function verifies the signature of their link.')
    addRoute(
      CALLBACK_ROUTE,
      new HttpLambdaIntegration('Receiver', receiver),
      'The platform knows no tokens of ours: the function verifies its signature.',
    )

    const log = new Log(this, 'Log', { logGroupName: `/aws/vendedlogs/apis/showrunner-${stage}`, days: logs.days })
    const resource = api.defaultStage?.node.defaultChild as CfnStage
    resource.accessLogSettings = { destinationArn: log.logGroupArn, format: JSON.stringify(ACCESS) }
    resource.defaultRouteSettings = THROTTLE
    // Of a property that CDK takes as it is, so with CloudFormation's own names.
    const limitOf = ({
      throttlingRateLimit,
      throttlingBurstLimit,
    }: typeof PUBLIC_THROTTLE | typeof WATCH_THROTTLE) => ({
      ThrottlingRateLimit: throttlingRateLimit,
      ThrottlingBurstLimit: throttlingBurstLimit,
    })
    resource.routeSettings = Object.fromEntries(
      open.map((key) => [key, limitOf(key in watchRoutes ? WATCH_THROTTLE : PUBLIC_THROTTLE)]),
    )
    this.url = api.apiEndpoint
    this.apiId = api.apiId
  }
}

/**
 * The scopes of which a token needs one, where roles are scopes: who has no role at all is refused before a function is asked.
 * Which role a route needs is for the function to say, in words. Of any other claim the authorizer knows nothing.
 */
const scopesFor = ({ roleClaim, viewer, operator }: Settings['identity']) =>
  roleClaim === 'scope' ? { authorizationScopes: [viewer, operator] } : {}
