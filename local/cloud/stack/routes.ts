import { unknownVariables } from '../http/access-log.ts'
import type { Throttle } from '../http/throttle.ts'

/** Every resource of a type, with the references resolved in those of its properties that have an effect. */
export type AllOf = <Shape = Record<string, unknown>>(type: string) => { id: string; ref: string; properties: Shape }[]

/** Supported settings of a stage’s routes. Metrics are inert. */
export const ROUTE_SETTINGS = ['ThrottlingBurstLimit', 'ThrottlingRateLimit', 'DetailedMetricsEnabled']
/** API Gateway quotas, "Throttle quota per account": the defaults of the two limits. */
const ACCOUNT_RATE = 10_000
const ACCOUNT_BURST = 5_000

/** Reads the routes of the stack's HTTP API. @throws Error naming the route without a function of the stack, or whose authorizer accepts no token */
export function readRoutes(all: AllOf, requireFunction: (user: string, arn: unknown) => string) {
  const integrations = all<IntegrationProperties>('AWS::ApiGatewayV2::Integration')
  const authorizers = all<AuthorizerProperties>('AWS::ApiGatewayV2::Authorizer')
  const stages = all<StageProperties>('AWS::ApiGatewayV2::Stage')
  const routes = all<RouteProperties>('AWS::ApiGatewayV2::Route')
  for (const { id, properties } of stages)
    for (const [key, settings] of Object.entries(properties.RouteSettings ?? {})) {
      const unknown = Object.keys(settings).find((name) => !ROUTE_SETTINGS.includes(name))
      if (unknown) throw new Error(`${id}: ${unknown} of the route ${key} is not supported locally.`)
      if (!routes.some(({ properties: { RouteKey } }) => RouteKey === key))
        throw new Error(`${id}: there is no route ${key} to be set.`)
    }

  return routes.map(({ properties }) => {
    const { RouteKey: key, Target: target, AuthorizationType: authorization = 'NONE', AuthorizerId: id } = properties
    const integration = integrations.find(({ ref }) => target === `integrations/${ref}`)?.properties
    const throttle = stages.map((stage) => throttleOf(key, stage.properties)).find((one) => one)
    const functionArn = requireFunction(key, integration?.IntegrationUri)
    const route = { key, functionArn, ...(throttle && { throttle }) }
    if (authorization === 'NONE') return route
    const jwt = authorizers.find(({ ref }) => ref === id)?.properties.JwtConfiguration
    if (!jwt?.Issuer || !jwt.Audience?.length)
      throw new Error(`${key}: a JWT authorizer needs an issuer and an audience.`)
    const scopes = properties.AuthorizationScopes ?? []
    return { ...route, authorizer: { issuer: jwt.Issuer, audience: jwt.Audience }, scopes }
  })
}

/** @throws Error naming an unsupported variable */
export function readAccessLogFormat(all: AllOf): string | undefined {
  for (const { id, properties } of all<StageProperties>('AWS::ApiGatewayV2::Stage')) {
    const format = properties.AccessLogSettings?.Format
    if (format === undefined) continue
    const [unknown] = unknownVariables(format)
    if (unknown) throw new Error(`${id}: ${unknown} of AccessLogSettings is not supported locally.`)
    return format
  }
  return undefined
}

/** Returns a route’s throttle. Its own settings override the defaults. */
function throttleOf(key: string, { DefaultRouteSettings, RouteSettings = {} }: StageProperties): Throttle | undefined {
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = { ...DefaultRouteSettings, ...RouteSettings[key] }
  if (rate === undefined && burst === undefined) return undefined
  return { rate: rate ?? ACCOUNT_RATE, burst: burst ?? ACCOUNT_BURST }
}

interface RouteProperties {
  RouteKey: string
  Target: string
  AuthorizationType?: string
  AuthorizerId?: string
  AuthorizationScopes?: string[]
}
interface StageProperties {
  AccessLogSettings?: { Format?: string }
  DefaultRouteSettings?: RouteSettings
  RouteSettings?: Record<string, RouteSettings>
}
interface RouteSettings {
  ThrottlingRateLimit?: number
  ThrottlingBurstLimit?: number
}
interface IntegrationProperties {
  IntegrationUri: string
}
interface AuthorizerProperties {
  JwtConfiguration?: { Issuer?: string; Audience?: string[] }
}
