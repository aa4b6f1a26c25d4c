import { Duration, Stack } from 'aws-cdk-lib'
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { type IStateMachine, StateTransitionMetric } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { names } from '../show/document/fields/names.ts'
import { METRICS_NAMESPACE, type MetricName, serviceOf } from '../tasks/metrics.ts'
import { DeadLetterQueue } from './dead-letter-queue.ts'
import type { Settings } from './deploy/settings.ts'
import type { AccessMetrics } from './http/access-log.ts'

export interface AlarmsProps {
  readonly settings: Pick<Settings, 'stage' | 'alarms'>
  readonly machines: Readonly<Record<'show' | 'publish' | 'notify', IStateMachine>>
  readonly sweeper: IFunction
  /** Functions that rotate credentials, as far as the settings enable them. */
  readonly rotators: readonly IFunction[]
  readonly apiId: string
  readonly refusals: AccessMetrics
}

interface AlarmOrder {
  readonly id: string
  readonly heading: RunbookHeading
  readonly metric: IMetric
  /** Periods of five minutes, all of which have to breach. @default 1 */
  readonly periods?: number
  /** Alarms when the metric is lower than this or missing, instead of when it is above `above`. */
  readonly below?: number
  /** Alarms when the metric is higher than this. @default 0 */
  readonly above?: number
}

const PERIOD = Duration.minutes(5)
/** Refused controls or invitations in five minutes: more than a faulty app sends, less than a flood. */
const MANY_REFUSALS = 300

/** Notifies operators when a person is needed; each alarm links to its section of the runbook. */
export class Alarms extends Construct {
  readonly alarms: readonly Alarm[]

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id)
    const topic = new AlarmTopic(this, 'Topic', props.settings)
    this.alarms = [...ofShows(props), ...ofOperation(props), ...ofQueues(Stack.of(this))].map((order) => {
      const alarm = this.alarm(order, props.settings.alarms.runbookUrl)
      alarm.addAlarmAction(new SnsAction(topic))
      return alarm
    })
  }

  private alarm(
    { id, heading, metric, periods = 1, below, above = 0 }: AlarmOrder,
    runbook: string | undefined,
  ): Alarm {
    return new Alarm(this, id, {
      alarmDescription: `${heading}: see ${runbookLink(heading, runbook)}`,
      metric,
      evaluationPeriods: periods,
      ...(below === undefined
        ? { threshold: above, comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD }
        : { threshold: below, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD }),
      treatMissingData: below === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
    })
  }
}

function ofShows({ settings, machines }: AlarmsProps): AlarmOrder[] {
  const own = (name: MetricName) => showMetric(settings.stage, name)
  return [
    { id: 'ShowsFailed', heading: 'Shows failed', metric: own('showsFailed') },
    { id: 'ShowsOverdue', heading: 'Shows overdue', metric: own('showsOverdue') },
    { id: 'ExecutionsBroken', heading: 'Executions were interrupted', metric: interrupted('show', machines.show) },
    { id: 'RecordingsLost', heading: 'Recordings lost', metric: own('recordingsLost') },
    {
      id: 'PublishesFailed',
      heading: 'Recordings not published',
      metric: sum('publishes', { reported: own('publishesFailed'), broken: interrupted('publish', machines.publish) }),
    },
    { id: 'PublishesIncomplete', heading: 'Recordings damaged', metric: own('publishesIncomplete') },
    { id: 'RecordingsWithheld', heading: 'Recordings withheld', metric: own('recordingsWithheld') },
    { id: 'CallbacksUndelivered', heading: 'Callbacks not delivered', metric: interrupted('notify', machines.notify) },
    { id: 'AuthenticationFailures', heading: 'Credentials refused', metric: own('authenticationFailures') },
  ]
}

function ofOperation({ settings, machines, sweeper, rotators, apiId, refusals }: AlarmsProps): AlarmOrder[] {
  const errors = Object.fromEntries(rotators.map((rotator, index) => [`rotator${index}`, rotator.metricErrors(every)]))
  return [
    { id: 'RotationsFailed', heading: 'Rotations failed', metric: sum('rotations', errors) },
    {
      id: 'SweepsFailed',
      heading: 'The sweep fails',
      metric: sum('sweeps', { shows: showMetric(settings.stage, 'sweepsFailed'), whole: sweeper.metricErrors(every) }),
      periods: 2, // one failure is normal: the next sweep is five minutes later
    },
    { id: 'SweepsMissing', heading: 'The sweep fails', metric: sweeper.metricInvocations(every), periods: 3, below: 1 },
    {
      id: 'Throttled',
      heading: 'Throttled',
      metric: sum('throttled', {
        // Without the names of functions and machines: the whole account in this region shares these limits.
        functions: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...every }),
        transitions: StateTransitionMetric.metricThrottledEvents(every),
        starts: new Metric({
          ...{ namespace: 'AWS/States', metricName: 'ThrottledEvents', dimensionsMap: { APIName: 'StartExecution' } },
          ...every,
        }),
        ...Object.fromEntries(
          Object.entries(machines).map(([name, machine]) => [name, machine.metricThrottled(every)]),
        ),
      }),
      periods: 2,
    },
    {
      id: 'ApiFails',
      heading: 'The API fails',
      metric: new Metric({ namespace: 'AWS/ApiGateway', metricName: '5xx', dimensionsMap: { ApiId: apiId }, ...every }),
    },
    { id: 'ControlsThrottled', heading: 'Controls refused', metric: refusals.throttled },
    { id: 'ControlsRefused', heading: 'Controls refused', metric: refusals.refused, above: MANY_REFUSALS },
    { id: 'JoinsThrottled', heading: 'Participants refused', metric: refusals.joinsThrottled },
    { id: 'JoinsRefused', heading: 'Participants refused', metric: refusals.joinsRefused, above: MANY_REFUSALS },
  ]
}

/** Returns an alarm for each queue, so that its name states whose events wait. */
function ofQueues(stack: Stack): AlarmOrder[] {
  return stack.node
    .findAll()
    .filter((construct) => construct instanceof DeadLetterQueue)
    .map((queue) => ({
      id: `${queue.node.scope?.node.path.split('/').slice(1).join('')}Waits`,
      heading: 'Events wait in a dead-letter queue',
      metric: queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: Stats.MAXIMUM }),
    }))
}

const every = { period: PERIOD, statistic: Stats.SUM } as const

/** Returns a metric of `lib/tasks/metrics.ts`. */
export const showMetric = (stage: string, name: MetricName, statistic: string = Stats.SUM) =>
  new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: names.substitution(name),
    dimensionsMap: { service: serviceOf(stage) },
    period: PERIOD,
    statistic,
  })

const interrupted = (id: string, machine: IStateMachine) =>
  sum(id, {
    failed: machine.metricFailed(every),
    timedOut: machine.metricTimedOut(every),
    aborted: machine.metricAborted(every),
  })

/** Adds metrics; missing data count as 0. @param id prefix that keeps the members of nested sums apart */
function sum(id: string, metrics: Record<string, IMetric>): MathExpression {
  const own = Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [`${id}_${name}`, metric]))
  const expression = Object.keys(own)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ')
  return new MathExpression({ expression, usingMetrics: own, period: PERIOD })
}

/** The topic of the alarms, over TLS only. */
class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { stage, alarms }: AlarmsProps['settings']) {
    super(scope, id, { displayName: `Showrunner ${stage}`, enforceSSL: true })
    // An explicit policy replaces the default one, which allows alarms of the account to publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    if (alarms.email) this.addSubscription(new EmailSubscription(alarms.email))
  }
}

/** The headings of docs/runbook.md that alarms refer to. */
export const runbookHeadings = [
  'Shows failed',
  'Shows overdue',
  'Executions were interrupted',
  'Recordings lost',
  'Recordings not published',
  'Recordings damaged',
  'Recordings withheld',
  'Callbacks not delivered',
  'Credentials refused',
  'Rotations failed',
  'The sweep fails',
  'Throttled',
  'The API fails',
  'Controls refused',
  'Participants refused',
  'Events wait in a dead-letter queue',
] as const

type RunbookHeading = (typeof runbookHeadings)[number]

/** Returns a link to a section of the runbook. @param runbook URL of the runbook; @default its path in the repository */
export const runbookLink = (heading: RunbookHeading, runbook = 'docs/runbook.md') =>
  `${runbook}#${heading.toLowerCase().replaceAll(' ', '-')}`
