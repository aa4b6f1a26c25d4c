import { type CfnStage, HttpApi, type HttpMethod, HttpNoneAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { apiRoutes, isPublicRoute, type RouteKey } from '../../api/api.ts'
import { type Role, rolesFrom } from '../../api/roles.ts'
import { watchRoutes } from '../../api/watch-routes.ts'
import { CALLBACK_ROUTE } from '../../events/platform-events.ts'
import { suppress } from '../access/nag-suppressions.ts'
import type { Settings } from '../deploy/settings.ts'
import { Log } from '../log.ts'
import { ACCESS_LOG_FORMAT, type AccessMetrics, measureAccess } from './access-log.ts'
import { classOf, type RouteClass } from './route-classes.ts'

export interface ShowApiProps {
  readonly handler: IFunction
  /** Serves watch pages. */
  readonly watcher: IFunction
  /** Takes the platform's callbacks. */
  readonly receiver: IFunction
  readonly issuer: string
  readonly settings: Pick<Settings, 'stage' | 'identity' | 'logs' | 'limits'>
}

/**
 * The HTTP API that event apps call: every route behind a JWT authorizer, but for what was published for everybody
 * and for the platform's callbacks, which are signed.
 */
export class ShowApi extends Construct {
  readonly url: string
  readonly apiId: string
  /** How often callers of routes that change something are refused. */
  readonly refusals: AccessMetrics

  constructor(scope: Construct, id: string, { handler, watcher, receiver, issuer, settings }: ShowApiProps) {
    super(scope, id)
    const { stage, identity, logs, limits } = settings
    const api = new HttpApi(this, 'Http', {
      apiName: `showrunner-${stage}`,
      description: 'Start shows, follow them, find their recordings.',
      defaultAuthorizer: new HttpJwtAuthorizer('Caller', issuer, { jwtAudience: [identity.audience] }),
    })
    const integration = new HttpLambdaIntegration('Handler', handler)
    const limited: string[] = []
    const addRoute = (key: string, to: HttpLambdaIntegration, openTo?: string) => {
      const [method, path] = key.split(' ') as [HttpMethod, string]
      const access = openTo ? { authorizer: new HttpNoneAuthorizer() } : scopesFor(key as RouteKey, identity)
      const routes = api.addRoutes({ path, methods: [method], integration: to, ...access })
      if (classOf(key) !== DEFAULT_CLASS) limited.push(key)
      for (const route of routes) {
        if (openTo) suppress(route, 'APIG4', openTo)
        api.defaultStage?.node.addDependency(route) // the stage names it below
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
    this.refusals = measureAccess(this, log, stage)
    const resource = api.defaultStage?.node.defaultChild as CfnStage
    resource.accessLogSettings = { destinationArn: log.logGroupArn, format: ACCESS_LOG_FORMAT }
    const { rate, burst } = limits[DEFAULT_CLASS]
    resource.defaultRouteSettings = { throttlingRateLimit: rate, throttlingBurstLimit: burst }
    // CDK takes this property as it is, with CloudFormation's own names.
    resource.routeSettings = Object.fromEntries(
      limited.map((key) => {
        const { rate, burst } = limits[classOf(key)]
        return [key, { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }]
      }),
    )
    this.url = api.apiEndpoint
    this.apiId = api.apiId
  }
}

/** The class whose limit holds for every route that has none of its own. */
const DEFAULT_CLASS: RouteClass = 'read'

/** The claims in which the authorizer looks for scopes (API Gateway developer guide, "JWT authorizers"). */
const SCOPE_CLAIMS: readonly string[] = ['scope', 'scp']

/**
 * The scopes of which a token needs one, where roles are scopes: a caller without the role of the route is refused before any
 * function runs. The authorizer looks into no other claim: there the function alone refuses.
 */
function scopesFor(key: RouteKey, identity: Settings['identity']): { authorizationScopes?: string[] } {
  const { role } = apiRoutes[key]
  if (role === 'anybody' || !SCOPE_CLAIMS.includes(identity.roleClaim)) return {}
  return { authorizationScopes: [...new Set(rolesFrom(role satisfies Role).map((one) => identity[one]))] }
}
