import { Duration } from 'aws-cdk-lib'
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'

/**
 * Fields of the access log, which has a line for every request, including those that reach no function. Body and query are not
 * logged: links to watch pages have their signature in the query. `functionRequestId` is the `requestId` in the function's log,
 * `caller` the token's subject.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  path: '$context.path',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  address: '$context.identity.sourceIp',
  caller: '$context.authorizer.claims.sub',
  error: '$context.authorizer.error',
  functionRequestId: '$context.integration.requestId',
} as const

export const ACCESS_LOG_FORMAT = JSON.stringify(accessLogFields)

/** Refused requests to routes that change something, in five minutes. */
export interface AccessMetrics {
  /** Throttled by API Gateway (429). */
  readonly throttled: Metric
  /** Refused for any reason (4xx). */
  readonly refused: Metric
}

/** Routes that change something: all but GET, callbacks and requests without a route, as `route-classes.test.ts` checks. */
const CONTROLS = '($.route != "GET *") && ($.route != "POST /callbacks/*") && ($.route != "$default")'

/** Counts refusals in the access log: API Gateway has no metric for 429. */
export function measureAccess(scope: Construct, logGroup: LogGroup, stage: string): AccessMetrics {
  const count = (id: string, status: string) =>
    new MetricFilter(scope, id, {
      logGroup,
      filterPattern: FilterPattern.literal(`{ ($.status = "${status}") && ${CONTROLS} }`),
      metricNamespace: 'ShowrunnerApi',
      metricName: `${id}-${stage}`,
      metricValue: '1',
    }).metric({ period: Duration.minutes(5), statistic: Stats.SUM })
  return { throttled: count('ControlsThrottled', '429'), refused: count('ControlsRefused', '4*') }
}
