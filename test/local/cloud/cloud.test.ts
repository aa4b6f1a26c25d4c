import { join } from 'node:path'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { describe, expect, it } from 'vitest'
import type { BusEvent } from '../../../local/cloud/events/events.ts'
import { lambda, temporaryFolder } from './small-assembly.ts'
import { createSmallCloud, type Handlers, START } from './small-cloud.ts'

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] })
const ANNOUNCED = { EventBridgeConfiguration: { EventBridgeEnabled: true } }
const rule = (EventPattern: object, target: string) => ({
  Type: 'AWS::Events::Rule',
  Properties: { EventPattern, Targets: [{ Id: 'T', Arn: arnOf(target) }] },
})
const machine = (StateMachineName: string, state: object, substitutions: object = {}) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    StateMachineName,
    DefinitionString: JSON.stringify({
      QueryLanguage: 'JSONata',
      StartAt: 'Only',
      States: { Only: { Type: 'Task', End: true, ...state } },
    }),
    DefinitionSubstitutions: substitutions,
  },
})

const template = {
  Resources: {
    Media: { Type: 'AWS::S3::Bucket', Properties: { NotificationConfiguration: ANNOUNCED } },
    Silent: { Type: 'AWS::S3::Bucket' },
    Publish: lambda('publish'),
    Arrival: rule({ source: ['aws.s3'], detail: { object: { key: [{ suffix: '.mp4' }] } } }, 'Publish'),
    Work: lambda('work'),
    WorkVersion: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Work' } } },
    Show: machine(
      'show',
      { Resource: '${Work}', Output: '{% $states.result.doubled %}' },
      { Work: { Ref: 'WorkVersion' } },
    ),
    Ended: rule({ source: ['aws.states'], detail: { status: ['SUCCEEDED', 'ABORTED'] } }, 'Publish'),
    Teller: machine('teller', {
      Resource: 'arn:aws:states:::events:putEvents',
      Arguments: { Entries: [{ Source: 'showrunner', DetailType: 'show.started', Detail: { a: 1 } }] },
    }),
    Told: rule({ source: ['showrunner'] }, 'Publish'),
    Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true },
    },
    Answer: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: { Ref: 'Api' },
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: arnOf('Work'),
        PayloadFormatVersion: '2.0',
      },
    },
    Route: {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: {
        ApiId: { Ref: 'Api' },
        RouteKey: 'GET /work',
        Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Answer' }]] },
      },
    },
  },
  Outputs: {
    Url: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } },
    Show: { Value: { Ref: 'Show' } },
    Teller: { Value: { Ref: 'Teller' } },
  },
}

function open(handlers: Handlers = {}, options = {}) {
  const published: BusEvent[] = []
  const small = createSmallCloud(
    template,
    { Publish: (event: BusEvent) => published.push(event), ...handlers },
    options,
  )
  const [s3, states] = [small.connect(S3Client), small.connect(SFNClient)]
  const start = (output: string, input: object = {}) =>
    states.send(
      new StartExecutionCommand({
        stateMachineArn: small.cloud.outputs[output],
        name: 'one',
        input: JSON.stringify(input),
      }),
    )
  const put = (Bucket: string, Key: string) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'bytes' }))
  return { ...small, s3, states, start, put, published }
}

describe('createCloud', () => {
  it('invokes a function for a new object, by its rule', async () => {
    const { cloud, put, published } = open()
    await put('small-media', 'a/archive.mp4')
    await put('small-media', 'a/notes.txt')
    await put('small-silent', 'a/archive.mp4')
    await cloud.settled()
    expect(published).toEqual([
      expect.objectContaining({
        source: 'aws.s3',
        'detail-type': 'Object Created',
        time: '2026-01-01T00:00:00Z',
        resources: ['arn:aws:s3:::small-media'],
        detail: expect.objectContaining({
          bucket: { name: 'small-media' },
          object: expect.objectContaining({ key: 'a/archive.mp4', size: 5 }),
          reason: 'PutObject',
        }),
      }),
    ])
  })

  it('runs a state machine that calls a version of a function, and announces its end', async () => {
    const Work = ({ n }: { n: number }, { functionVersion }: { functionVersion: string }) => ({
      doubled: n * 2,
      functionVersion,
    })
    const { cloud, clock, start, states, published } = open({ Work })
    const { executionArn } = await start('Show', { n: 21 })
    await clock.advance(0)
    const described = await states.send(new DescribeExecutionCommand({ executionArn }))
    expect(described).toMatchObject({ status: 'SUCCEEDED', output: '42' })
    await cloud.settled()
    expect(published).toMatchObject([
      {
        'detail-type': 'Step Functions Execution Status Change',
        resources: [executionArn],
        detail: { executionArn, name: 'one', status: 'SUCCEEDED', output: '42' },
      },
    ])
  })

  it('fails a state by the error its function reports', async () => {
    const failure = Object.assign(new Error('no such show'), { name: 'PlatformNotFoundError' })
    const { clock, start, states } = open({ Work: () => Promise.reject(failure) })
    const { executionArn } = await start('Show')
    await clock.advance(0)
    expect(await states.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
      status: 'FAILED',
      error: 'PlatformNotFoundError',
      cause: '{"errorType":"PlatformNotFoundError","errorMessage":"no such show"}',
    })
  })

  it('lets a state machine put events', async () => {
    const { cloud, clock, start, published } = open()
    await start('Teller')
    await clock.advance(0)
    await cloud.settled()
    expect(published.map(({ source, detail }) => [source, detail])).toContainEqual(['showrunner', { a: 1 }])
  })

  it('answers the stack’s API by its function, and says where it is', async () => {
    const { cloud } = open({ Work: (event: { routeKey: string }) => ({ statusCode: 200, body: event.routeKey }) })
    expect(cloud.outputs.Url).toBe('http://api.invalid')
    const answer = await cloud.api(new Request('http://api.invalid/work'))
    expect([answer.status, await answer.text()]).toEqual([200, 'GET /work'])
  })

  it('names a service it does not have', async () => {
    const { cloud } = open()
    for (const target of ['DynamoDB_20120810.GetItem', 'constructor.GetItem']) {
      const answer = await cloud.aws(new Request('http://a/', { method: 'POST', headers: { 'x-amz-target': target } }))
      const message = `${target} is not supported locally.`
      expect([answer.status, await answer.json()]).toEqual([400, { __type: 'UnknownOperationException', message }])
    }
  })

  it('refuses bodies that are no JSON', async () => {
    const { cloud, connect } = open()
    const client = connect(EventBridgeClient)
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, { body: '[' })
        return next(args)
      },
      { step: 'build' },
    )
    await expect(client.send(new PutEventsCommand({ Entries: [] }))).rejects.toMatchObject({
      name: 'SerializationException',
    })
    await cloud.close()
  })

  it('keeps objects in its directory, and aborts what runs when it closes', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const first = open({ Work: () => new Promise(() => {}) }, { directory })
    await first.put('small-media', 'kept')
    const { executionArn = '' } = await first.start('Show')
    await first.clock.advance(0)
    await first.cloud.close() // although the function never ends
    expect(first.cloud.stepFunctions.describeExecution({ executionArn }).status).toBe('ABORTED')
    await first.cloud.settled()
    expect(first.published.filter(({ source }) => source === 'aws.states')).toEqual([])

    const second = open({}, { directory })
    const object = await second.s3.send(new GetObjectCommand({ Bucket: 'small-media', Key: 'kept' }))
    expect(await object.Body?.transformToString()).toBe('bytes')
    expect(object.LastModified?.getTime()).toBe(START)
    await second.cloud.close()
  })

  it('leaves its directory free when the assembly cannot be run', async () => {
    using folder = temporaryFolder()
    const directory = folder.path
    const bad = { Resources: { A: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'No Name' } } } }
    expect(() => createSmallCloud(bad, {}, { directory })).toThrow('"No Name" is not a bucket name')
    await open({}, { directory }).cloud.close()
  })
})
