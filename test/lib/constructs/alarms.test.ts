import { readFileSync } from 'node:fs'
import { App, Duration, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { DefinitionBody, Pass, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { describe, expect, it } from 'vitest'
import { Alarms, runbookHeadings, runbookLink } from '../../../lib/constructs/alarms.ts'
import { ShowDashboard } from '../../../lib/constructs/dashboard.ts'
import { DeadLetterQueue } from '../../../lib/constructs/dead-letter-queue.ts'
import { measureAccess } from '../../../lib/constructs/http/access-log.ts'
import { names } from '../../../lib/show/document/fields/names.ts'
import { metrics } from '../../../lib/tasks/metrics.ts'
import { readTemplate } from './template.ts'

const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')
/** As GitHub makes them of headings. */
const anchors = [...runbook.matchAll(/^## ([^\n]*[^?\n])$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
)

function synthesize(wanted: { email?: string; runbookUrl?: string } = {}) {
  const stack = new Stack(new App(), 'Showrunner')
  const code = Code.fromInline('exports.handler = () => {}')
  const makeFunction = (id: string) =>
    new LambdaFunction(stack, id, {
      code,
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      timeout: Duration.seconds(3),
    })
  const makeMachine = (id: string) =>
    new StateMachine(stack, id, { definitionBody: DefinitionBody.fromChainable(new Pass(stack, `${id}Pass`)) })
  const [sweeper, rotator] = [makeFunction('Sweeper'), makeFunction('Rotator')]
  const machines = { show: makeMachine('Show'), publish: makeMachine('Publish'), notify: makeMachine('Notify') }
  new DeadLetterQueue(sweeper, 'DeadLetters', { target: sweeper.functionArn })
  const settings = { stage: 'live', alarms: wanted }
  const refusals = measureAccess(stack, new LogGroup(stack, 'AccessLog'), 'live')
  const props = { settings, machines, sweeper, rotators: [rotator], apiId: 'api', refusals }
  const { alarms } = new Alarms(stack, 'Alarms', props)
  new ShowDashboard(stack, 'Overview', { settings, alarms, machines })
  return readTemplate(Template.fromStack(stack).toJSON())
}
const alarmsOf = (template = synthesize()) => template.of('AWS::CloudWatch::Alarm')

describe('Alarms', () => {
  it('refer to a heading of the runbook each, and each heading but those of questions has an alarm', () => {
    const referred = Object.values(alarmsOf()).map(
      ({ properties }) => /see docs\/runbook\.md#(\S+)$/.exec(properties.AlarmDescription)?.[1],
    )
    expect([...new Set(referred)].sort()).toEqual([...anchors].sort())
    expect(runbookHeadings.map((heading) => runbookLink(heading)).sort()).toEqual(
      anchors.map((anchor) => `docs/runbook.md#${anchor}`).sort(),
    )
  })

  it('link to where the settings say that the runbook can be read', () => {
    const runbookUrl = 'https://git.example.com/docs/runbook.md'
    for (const { properties } of Object.values(alarmsOf(synthesize({ runbookUrl }))))
      expect(properties.AlarmDescription).toMatch(/see https:\/\/git\.example\.com\/docs\/runbook\.md#[a-z-]+$/)
  })

  it('say under each heading what it means, where to look and what to do', () => {
    for (const section of runbook.split(/^## /m).slice(1))
      expect(section).toMatch(/\n\*\*Means:\*\* [\s\S]+\n\*\*Check:\*\* [\s\S]+\n\*\*Do:\*\* /)
  })

  it('go off on anything at all, but for what is normal once', () => {
    const quiet = Object.values(alarmsOf()).filter(({ properties }) => properties.TreatMissingData === 'notBreaching')
    for (const { id, properties } of quiet)
      expect(properties).toMatchObject({
        Threshold: /(Controls|Joins)Refused$/.test(id) ? 300 : 0,
        ComparisonOperator: 'GreaterThanThreshold',
      })
    const patient = quiet.filter(({ properties }) => properties.EvaluationPeriods > 1).map(({ id }) => id)
    expect(patient.sort()).toEqual(['AlarmsSweepsFailed', 'AlarmsThrottled'])
  })

  it('go off when the sweep is not called for a quarter of an hour', () => {
    expect(alarmsOf().AlarmsSweepsMissing?.properties).toMatchObject({
      ...{ Namespace: 'AWS/Lambda', MetricName: 'Invocations', Period: 300, EvaluationPeriods: 3 },
      ...{ Threshold: 1, ComparisonOperator: 'LessThanThreshold', TreatMissingData: 'breaching' },
    })
  })

  it('go off when Lambda or Step Functions throttle, for the whole account and for each machine', () => {
    const metrics: { MetricStat?: { Metric: object } }[] = alarmsOf().AlarmsThrottled?.properties.Metrics
    const watched = metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])
    const ofMachine = (name: string) => ({
      ...{ Namespace: 'AWS/States', MetricName: 'ExecutionThrottled' },
      Dimensions: [{ Name: 'StateMachineArn', Value: `<${name}>` }],
    })
    const ofService = (Name: string, Value: string) => ({
      ...{ Namespace: 'AWS/States', MetricName: 'ThrottledEvents' },
      Dimensions: [{ Name, Value }],
    })
    expect(watched).toEqual([
      { Namespace: 'AWS/Lambda', MetricName: 'Throttles' },
      ofService('ServiceMetric', 'StateTransition'),
      ofService('APIName', 'StartExecution'),
      ...['Show', 'Publish', 'Notify'].map(ofMachine),
    ])
  })

  it('watch every dead-letter queue of the stack, by its owner’s name', () => {
    expect(alarmsOf().AlarmsSweeperWaits?.properties).toMatchObject({
      ...{ Namespace: 'AWS/SQS', MetricName: 'ApproximateNumberOfMessagesVisible', Statistic: 'Maximum' },
      Dimensions: [{ Name: 'QueueName', Value: '<SweeperDeadLetters.QueueName>' }],
    })
  })

  it('all notify one topic, which alarms of this account may publish to, over TLS only', () => {
    const template = synthesize()
    for (const { properties } of Object.values(alarmsOf(template)))
      expect(properties.AlarmActions).toEqual(['<AlarmsTopic>'])
    const [policy] = Object.values(template.of('AWS::SNS::TopicPolicy'))
    expect(policy?.properties.PolicyDocument.Statement).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        expect.objectContaining({
          ...{ Effect: 'Allow', Action: 'sns:Publish', Principal: { Service: 'cloudwatch.amazonaws.com' } },
          Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
        }),
      ]),
    )
  })

  it('are sent to the address of the settings, if there is one', () => {
    expect(synthesize().of('AWS::SNS::Subscription')).toEqual({})
    expect(Object.values(synthesize({ email: 'night@example.com' }).of('AWS::SNS::Subscription'))).toMatchObject([
      { properties: { Protocol: 'email', Endpoint: 'night@example.com', TopicArn: '<AlarmsTopic>' } },
    ])
  })
})

describe('metrics', () => {
  it('are each shown on the dashboard, by the names and the dimension that functions write', () => {
    const [dashboard] = Object.values(synthesize().of('AWS::CloudWatch::Dashboard'))
    for (const name of Object.keys(metrics))
      expect(dashboard?.properties.DashboardBody).toContain(
        `["Showrunner","${names.substitution(name)}","service","showrunner-live"`,
      )
  })
})
