import { Duration } from 'aws-cdk-lib'
import {
  type CfnStage,
  type CorsHttpMethod,
  type CorsPreflightOptions,
  HttpApi,
  type HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { apiRoutes, isPublicRoute, type RouteKey, UNMATCHED_ROUTE } from '../../api/api.ts'
import { joinRoutes } from '../../api/invitations.ts'
import { type Role, rolesFrom } from '../../api/roles.ts'
import { watchRoutes } from '../../api/watch-routes.ts'
import { CALLBACK_ROUTE } from '../../events/platform-events.ts'
import { suppress } from '../access/nag-suppressions.ts'
import type { Settings } from '../deploy/settings.ts'
import { Log } from '../log.ts'
import { ACCESS_LOG_FORMAT, type AccessMetrics, measureAccess } from './access-log.ts'

export interface ShowApiProps {
  readonly handler: IFunction
  readonly watcher: IFunction
  readonly joiner: IFunction
  readonly receiver: IFunction
  readonly issuer: string
  readonly settings: Pick<Settings, 'stage' | 'identity' | 'logs' | 'limits' | 'allowedOrigins'>
}

/** The HTTP API. Every route has a JWT authorizer, except public recordings, watch pages, invitations and signed callbacks. */
export class ShowHttpApi extends Construct {
  readonly url: string
  readonly apiId: string
  /** Metrics of refused requests to routes that change something. */
  readonly refusals: AccessMetrics

  constructor(scope: Construct, id: string, { handler, watcher, joiner, receiver, issuer, settings }: ShowApiProps) {
    super(scope, id)
    const { stage, identity, logs, limits, allowedOrigins } = settings
    const api = new HttpApi(this, 'Http', {
      apiName: `showrunner-${stage}`,
      description: 'Starts and controls shows, and lists their recordings.',
      ...(allowedOrigins.length > 0 && { corsPreflight: corsFor(allowedOrigins) }),
      defaultAuthorizer: new HttpJwtAuthorizer('Caller', issuer, { jwtAudience: [identity.audience] }),
    })
    // One right for all routes of this API: one for each route exceeds CloudFormation's 500 resources in a stack.
    const integration = new HttpLambdaIntegration('Handler', handler, { scopePermissionToRoute: false })
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
    const joining = new HttpLambdaIntegration('Joiner', joiner)
    for (const key of Object.keys(apiRoutes))
      if (key in joinRoutes)
        addRoute(key, joining, 'Participants have no account: the function verifies the signature of their invitation.')
      else addRoute(key, integration, isPublicRoute(key) ? 'It serves public data.' : undefined)
    const watching = new HttpLambdaIntegration('Watcher', watcher)
    for (const key of Object.keys(watchRoutes))
      addRoute(key, watching, 'Viewers have no account: the function verifies the signature of their link.')
    addRoute(
      CALLBACK_ROUTE,
      new HttpLambdaIntegration('Receiver', receiver),
      'The platform has no token: the function verifies its signature.',
    )

    // Without it API Gateway answers 404 without a reason, also for a path that has other methods.
    const unmatched = new HttpRoute(this, 'Unmatched', {
      httpApi: api,
      routeKey: HttpRouteKey.DEFAULT,
      integration,
      authorizer: new HttpNoneAuthorizer(),
    })
    suppress(unmatched, 'APIG4', 'It answers only that there is no such route.')
    limited.push(UNMATCHED_ROUTE)
    api.defaultStage?.node.addDependency(unmatched)

    const log = new Log(this, 'Log', { logGroupName: `/aws/vendedlogs/apis/showrunner-${stage}`, days: logs.days })
    this.refusals = measureAccess(this, log, stage)
    const resource = api.defaultStage?.node.defaultChild as CfnStage
    resource.accessLogSettings = { destinationArn: log.logGroupArn, format: ACCESS_LOG_FORMAT }
    const { rate, burst } = limits[DEFAULT_CLASS]
    resource.defaultRouteSettings = { throttlingRateLimit: rate, throttlingBurstLimit: burst }
    // CDK passes this property on with CloudFormation's names.
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

/**
 * Returns CORS for pages of these origins. API Gateway answers preflight requests to every path, and adds the headers to every
 * answer, also to its own refusals. Credentials are not allowed: a page sends its token itself.
 */
const corsFor = (allowOrigins: string[]): CorsPreflightOptions => ({
  allowOrigins,
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => method as CorsHttpMethod),
  allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-none-match'],
  exposeHeaders: ['etag', 'location', 'retry-after', 'allow'],
  maxAge: Duration.minutes(10),
})

/** The class of routes without a limit in the stage. */
const DEFAULT_CLASS: RouteClass = 'read'

/** The claims in which the authorizer looks for scopes (API Gateway developer guide, "JWT authorizers"). */
const SCOPE_CLAIMS: readonly string[] = ['scope', 'scp']

/** Returns the scopes of which a token needs one when roles are scopes. API Gateway reads no other claim; the function does. */
function scopesFor(key: RouteKey, identity: Settings['identity']): { authorizationScopes?: string[] } {
  const { role } = apiRoutes[key]
  if (role === 'anybody' || !SCOPE_CLAIMS.includes(identity.roleClaim)) return {}
  return { authorizationScopes: [...new Set(rolesFrom(role satisfies Role).map((one) => identity[one]))] }
}

/** Classes of routes that share a limit, because they have the same callers and purpose. */
type RouteClass = Exclude<keyof Settings['limits'], 'platformCallsPerSecond' | 'maxConcurrentPublishes'>

export function classOf(key: string): RouteClass {
  if (key in watchRoutes) return 'watch'
  if (key === CALLBACK_ROUTE) return 'callbacks'
  if (key in joinRoutes) return 'join'
  if (!(key in apiRoutes) || isPublicRoute(key)) return 'public'
  return apiRoutes[key as RouteKey].role === 'viewer' ? 'read' : 'control'
}

export const routesOf = (wanted: RouteClass): string[] =>
  Object.keys(apiRoutes).filter((key) => classOf(key) === wanted)
