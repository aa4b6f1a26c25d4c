/** A route of the stack's HTTP API, and the function that answers it. */
export interface RouteSpec {
  readonly key: string
  readonly functionArn: string
  readonly authorizer?: { readonly issuer: string; readonly audience: readonly string[] }
}

/** Every resource of a type, with the references resolved in those of its properties that have an effect. */
export type AllOf = <Shape = Record<string, unknown>>(type: string) => { id: string; ref: string; properties: Shape }[]

/** @throws Error naming the route that leads to no function of the stack, or whose authorizer lets nobody in */
export function readRoutes(all: AllOf, requireFunction: (user: string, arn: unknown) => string): RouteSpec[] {
  const integrations = all<IntegrationProperties>('AWS::ApiGatewayV2::Integration')
  const authorizers = all<AuthorizerProperties>('AWS::ApiGatewayV2::Authorizer')
  return all<RouteProperties>('AWS::ApiGatewayV2::Route').map(({ properties }) => {
    const { RouteKey: key, Target: target, AuthorizationType: authorization = 'NONE', AuthorizerId: id } = properties
    const integration = integrations.find(({ ref }) => target === `integrations/${ref}`)?.properties
    const route = { key, functionArn: requireFunction(key, integration?.IntegrationUri) }
    if (authorization === 'NONE') return route
    const jwt = authorizers.find(({ ref }) => ref === id)?.properties.JwtConfiguration
    if (!jwt?.Issuer || !jwt.Audience?.length)
      throw new Error(`${key}: a JWT authorizer needs an issuer and an audience.`)
    return { ...route, authorizer: { issuer: jwt.Issuer, audience: jwt.Audience } }
  })
}

interface RouteProperties {
  RouteKey: string
  Target: string
  AuthorizationType?: string
  AuthorizerId?: string
}
interface IntegrationProperties {
  IntegrationUri: string
}
interface AuthorizerProperties {
  JwtConfiguration?: { Issuer?: string; Audience?: string[] }
}
