import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import type { BusEvent } from '../../../../local/cloud/events/events.ts'
import { lambda } from '../small-assembly.ts'
import { createSmallCloud } from '../small-cloud.ts'

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
const machine = (StateMachineName: string, state: object, more: object = {}) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    StateMachineName,
    DefinitionString: JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'Only', States: { Only: state }, ...more }),
  },
})
const rule = (properties: object, ...Targets: object[]) => ({
  Type: 'AWS::Events::Rule',
  Properties: { ...properties, Targets: Targets.map((target, index) => ({ Id: `T${index}`, ...target })) },
})
const ON_SHOWRUNNER = { EventPattern: { source: ['showrunner'] }, EventBusName: 'default' }
const SWEEP = machine('sweep', { Type: 'Succeed' })

/** A cloud with a function `Receiver` and a machine `sweep`, both called as the rules say. */
function open(rules: Record<string, ReturnType<typeof rule>>, resources: object = {}) {
  const delivered: BusEvent[] = []
  const lost: string[] = []
  const small = createSmallCloud(
    { Resources: { Receiver: lambda('a'), Sweep: SWEEP, ...rules, ...resources } },
    { Receiver: (event: BusEvent) => delivered.push(event) },
    { onLost: (name, { message }) => lost.push(`${name}: ${message}`) },
  )
  const put = (detail: object = { id: '1' }) => {
    const entry = { Source: 'showrunner', DetailType: 'show.ended', Detail: JSON.stringify(detail) }
    return small.connect(EventBridgeClient).send(new PutEventsCommand({ Entries: [entry] }))
  }
  /** Returns the machine’s inputs, oldest first. */
  const swept = () => {
    const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:sweep'
    return small.cloud.stepFunctions.listExecutions({ stateMachineArn }).reverse()
  }
  const advance = async (ms: number) => {
    await small.clock.advance(ms)
    await small.cloud.settled()
  }
  return { ...small, put, delivered, lost, swept, advance }
}

describe('createCloud, following rules', () => {
  it('starts an execution of a machine with the whole event, under a unique name', async () => {
    const { put, swept } = open({ R: rule(ON_SHOWRUNNER, { Arn: { Ref: 'Sweep' }, RoleArn: 'arn:aws:iam::0:role/a' }) })
    await put()
    await put()
    const [first, second] = swept()
    expect(JSON.parse(first?.input ?? '')).toMatchObject({ source: 'showrunner', detail: { id: '1' } })
    expect(first?.name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(second?.name).not.toBe(first?.name)
  })

  it('delivers a target’s constant Input in place of the event', async () => {
    const inputs = [
      { Arn: arnOf('Receiver'), Input: '{"a":1}' },
      { Arn: { Ref: 'Sweep' }, Input: '"b"' },
    ]
    const { put, delivered, swept, cloud } = open({ R: rule(ON_SHOWRUNNER, ...inputs) })
    await put()
    await cloud.settled()
    expect(delivered).toEqual([{ a: 1 }])
    expect(swept().map(({ input }) => input)).toEqual(['"b"'])
  })

  it('passes over who may call a target, and how often it would be tried again', async () => {
    const inert = { RoleArn: 'arn:aws:iam::0:role/a', RetryPolicy: { MaximumRetryAttempts: 2 } }
    const { put, delivered, cloud } = open({ R: rule(ON_SHOWRUNNER, { Arn: arnOf('Receiver'), ...inert }) })
    await put()
    await cloud.settled()
    expect(delivered).toHaveLength(1)
  })

  it('reports an event that is too large for an execution, and delivers it to the other targets', async () => {
    const { put, delivered, lost, cloud } = open({
      R: rule(ON_SHOWRUNNER, { Arn: { Ref: 'Sweep' } }, { Arn: arnOf('Receiver') }),
    })
    await put({ text: 'x'.repeat(262_144) })
    await cloud.settled()
    expect(delivered).toHaveLength(1)
    expect(lost).toEqual([expect.stringContaining('sweep: Invalid State Machine Execution Input')])
  })

  it('puts every change of an execution’s status on the bus', async () => {
    const waits = machine('waits', { Type: 'Wait', Seconds: 60, End: true }, { TimeoutSeconds: 10 })
    const fails = machine('fails', { Type: 'Fail', Error: 'Broken' })
    const EventPattern = { source: ['aws.states'] }
    const resources = { Waits: waits, Fails: fails }
    const { connect, delivered, clock, cloud } = open(
      { R: rule({ EventPattern }, { Arn: arnOf('Receiver') }) },
      resources,
    )
    const client = connect(SFNClient)
    const start = (machineName: string, name = 'one') => {
      const stateMachineArn = `arn:aws:states:us-east-1:000000000000:stateMachine:${machineName}`
      return client.send(new StartExecutionCommand({ stateMachineArn, name }))
    }
    const { executionArn } = await start('waits', 'stopped')
    await client.send(new StopExecutionCommand({ executionArn, error: 'Stopped', cause: 'by hand' }))
    for (const name of ['waits', 'fails', 'sweep']) await start(name)
    await clock.advance(10_000)
    await cloud.settled()
    const seen = delivered.map(({ detail }) => detail as { stateMachineArn: string; status: string; error: string })
    const of = (name: string) => seen.filter(({ stateMachineArn }) => stateMachineArn.endsWith(`:${name}`))
    expect(of('waits').map(({ status }) => status)).toEqual(['RUNNING', 'ABORTED', 'RUNNING', 'TIMED_OUT'])
    expect(of('waits')[1]).toMatchObject({ executionArn, error: 'Stopped', cause: 'by hand' })
    expect(of('fails').map(({ status, error }) => [status, error])).toEqual([
      ['RUNNING', null],
      ['FAILED', 'Broken'],
    ])
    expect(of('sweep').map(({ status }) => status)).toEqual(['RUNNING', 'SUCCEEDED'])
  })

  it('calls the targets of a schedule when it is due, with EventBridge’s own event', async () => {
    const targets = [{ Arn: arnOf('Receiver') }, { Arn: arnOf('Sweep') }]
    const { delivered, swept, advance } = open({
      R: rule({ Name: 'every-five', ScheduleExpression: 'rate(5 minutes)' }, ...targets),
      Bus: rule({ EventPattern: { source: ['aws.events'] } }, { Arn: arnOf('Receiver') }),
    })
    await advance(299_000)
    expect(delivered).toEqual([])
    await advance(1_000)
    expect(delivered).toEqual([
      {
        version: '0',
        id: expect.any(String),
        source: 'aws.events',
        'detail-type': 'Scheduled Event',
        account: '000000000000',
        region: 'us-east-1',
        time: '2026-01-01T00:05:00Z',
        resources: ['arn:aws:events:us-east-1:000000000000:rule/every-five'],
        detail: {},
      },
    ])
    expect(JSON.parse(swept()[0]?.input ?? '')).toEqual(delivered[0])
    await advance(600_000)
    expect(delivered.map(({ time }) => time)).toEqual([
      '2026-01-01T00:05:00Z',
      '2026-01-01T00:10:00Z',
      '2026-01-01T00:15:00Z',
    ])
  })

  it('takes cron in UTC, and only while the rule is enabled', async () => {
    const ScheduleExpression = 'cron(30 6 ? * MON-FRI *)'
    const target = { Arn: arnOf('Receiver') }
    const { delivered, advance } = open({
      R: rule({ ScheduleExpression }, target),
      Off: rule({ ScheduleExpression, State: 'DISABLED' }, target),
    })
    await advance(5 * 86_400_000)
    expect(delivered.map(({ time }) => time)).toEqual([
      '2026-01-01T06:30:00Z',
      '2026-01-02T06:30:00Z',
      '2026-01-05T06:30:00Z',
    ])
  })

  it('settles without waiting for what is due later, and ends schedules when it closes', async () => {
    const { cloud, clock, delivered } = open({
      R: rule({ ScheduleExpression: 'rate(1 hour)' }, { Arn: arnOf('Receiver') }),
    })
    await cloud.settled()
    expect(clock.nextDue()).toBe(clock.now() + 3_600_000)
    await cloud.close()
    expect(clock.nextDue()).toBeUndefined()
    expect(delivered).toEqual([])
  })

  it('refuses a schedule on any but the default bus', () => {
    const onMine = rule({ ScheduleExpression: 'rate(5 minutes)', EventBusName: 'mine' }, { Arn: arnOf('Receiver') })
    const Mine = { Type: 'AWS::Events::EventBus', Properties: { Name: 'mine' } }
    expect(() => open({ TheRule: onMine }, { Mine })).toThrow('TheRule: only rules of the default bus can have a')
  })

  it.each([
    [
      'a target that is not of the stack',
      rule(ON_SHOWRUNNER, { Arn: 'arn:aws:sqs:us-east-1:0:a' }),
      'is not a function or state',
    ],
    [
      'an InputPath',
      rule(ON_SHOWRUNNER, { Arn: arnOf('Receiver'), InputPath: '$' }),
      'InputPath of a target is not supported',
    ],
    [
      'an InputTransformer',
      rule(ON_SHOWRUNNER, { Arn: arnOf('Receiver'), InputTransformer: {} }),
      'InputTransformer of a',
    ],
    [
      'an Input that is not JSON',
      rule(ON_SHOWRUNNER, { Arn: arnOf('Receiver'), Input: 'a' }),
      'Input of a target must be JSON',
    ],
    ['neither pattern nor schedule', rule({}, { Arn: arnOf('Receiver') }), 'a rule needs an EventPattern or a'],
    [
      'a rate of one with an s',
      rule({ ScheduleExpression: 'rate(1 minutes)' }),
      'rate(1 minutes) is not a schedule of a',
    ],
    [
      'a rate of five without an s',
      rule({ ScheduleExpression: 'rate(5 minute)' }),
      'rate(5 minute) is not a schedule of',
    ],
    ['a one-off time', rule({ ScheduleExpression: 'at(2026-01-01T00:00:00)' }), 'is not a schedule of a rule'],
    ['a wrong cron', rule({ ScheduleExpression: 'cron(0 9 * * ?)' }), 'cron(0 9 * * ?) must have six fields'],
  ])('refuses a rule with %s by its name', (_what, wrong, message) => {
    expect(() => open({ TheRule: wrong })).toThrow(`TheRule: `)
    expect(() => open({ TheRule: wrong })).toThrow(message)
  })
})
