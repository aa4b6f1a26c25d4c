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

/** Refused requests in five minutes: to routes that change something, and to the one at which participants join. */
export interface AccessMetrics {
  /** Throttled by API Gateway (429). */
  readonly throttled: Metric
  /** Refused for any reason (4xx). */
  readonly refused: Metric
  /** Participants whom API Gateway throttled (429). */
  readonly joinsThrottled: Metric
  /** Invitations that were refused (403). */
  readonly joinsRefused: Metric
}

/** Routes that change something: all but GET, those without a token and requests without a route, as `route-classes.test.ts` checks. */
const CONTROLS =
  '($.route != "GET *") && ($.route != "POST /callbacks/*") && ($.route != "POST /public/*") && ($.route != "$default")'
const JOINS = '($.route = "POST /public/*")'

/** Counts refusals in the access log: API Gateway has no metric for 429. */
export function measureAccess(scope: Construct, logGroup: LogGroup, stage: string): AccessMetrics {
  const count = (id: string, status: string, routes: string) =>
    new MetricFilter(scope, id, {
      logGroup,
      filterPattern: FilterPattern.literal(`{ ($.status = "${status}") && ${routes} }`),
      metricNamespace: 'ShowrunnerApi',
      metricName: `${id}-${stage}`,
      metricValue: '1',
    }).metric({ period: Duration.minutes(5), statistic: Stats.SUM })
  return {
    throttled: count('ControlsThrottled', '429', CONTROLS),
    refused: count('ControlsRefused', '4*', CONTROLS),
    joinsThrottled: count('JoinsThrottled', '429', JOINS),
    joinsRefused: count('JoinsRefused', '403', JOINS),
  }
}
