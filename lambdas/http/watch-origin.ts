import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Services } from '../../lib/services.ts'

type Asked = Pick<APIGatewayProxyEventV2, 'headers'> & {
  readonly requestContext: Pick<APIGatewayProxyEventV2['requestContext'], 'domainName'>
}

/** Returns the origin of watch pages: the one in the settings, else that of the request. */
export function watchOriginOf({ headers, requestContext }: Asked, { variable }: Pick<Services, 'variable'>): string {
  const origin = variable('WATCH_ORIGIN')
  return origin === 'api' ? `${headers['x-forwarded-proto'] ?? 'https'}://${requestContext.domainName}` : origin
}
