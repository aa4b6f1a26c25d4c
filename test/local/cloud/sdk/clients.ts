import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { IAMClient } from '@aws-sdk/client-iam'
import { S3Client } from '@aws-sdk/client-s3'
import { SchedulerClient } from '@aws-sdk/client-scheduler'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SFNClient } from '@aws-sdk/client-sfn'
import { SQSClient } from '@aws-sdk/client-sqs'
import { realClock } from '../../../../lib/clock.ts'
import { startCloud } from '../../../../local/cloud/start.ts'
import { lambda, type SmallTemplate, temporaryFolder, writeAssembly } from '../small-assembly.ts'

export type Clients = Awaited<ReturnType<typeof startWithClients>>

/** One row of the table: an operation, what of it, and the check. */
export type Row = [operation: string, semantics: string, act: (clients: Clients) => Promise<void>]

const SUCCEED = { QueryLanguage: 'JSONata', StartAt: 'Done', States: { Done: { Type: 'Succeed' } } }
const FAIL = { QueryLanguage: 'JSONata', StartAt: 'End', States: { End: { Type: 'Fail', Error: 'Broken' } } }
const WAIT = { QueryLanguage: 'JSONata', StartAt: 'On', States: { On: { Type: 'Wait', Seconds: 3600, End: true } } }
const machine = (StateMachineName: string, definition: object) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: { StateMachineName, DefinitionString: JSON.stringify(definition) },
})
const NOTIFY = { 'Fn::GetAtt': ['Notify', 'Arn'] }
const rule = (EventPattern: object, more: object = {}) => ({
  Type: 'AWS::Events::Rule',
  Properties: { EventPattern, Targets: [{ Id: 'T', Arn: NOTIFY }], ...more },
})

const template: SmallTemplate = {
  Resources: {
    Notify: lambda('notify'),
    Media: {
      Type: 'AWS::S3::Bucket',
      Properties: {
        BucketName: 'media',
        VersioningConfiguration: { Status: 'Enabled' },
        NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
      },
    },
    OfBucket: rule({ source: ['aws.s3'] }),
    Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'platform' } },
    OfBus: rule({ source: ['platform'] }, { EventBusName: { Ref: 'Bus' } }),
    Lost: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'lost' } },
    OfLarge: rule(
      { source: ['large'] },
      {
        Targets: [{ Id: 'T', Arn: { Ref: 'Succeeds' }, DeadLetterConfig: { Arn: { 'Fn::GetAtt': ['Lost', 'Arn'] } } }],
      },
    ),
    Succeeds: machine('succeeds', SUCCEED),
    Fails: machine('fails', FAIL),
    Waits: machine('waits', WAIT),
    Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'shows' } },
    Uploader: { Type: 'AWS::IAM::User', Properties: { UserName: 'uploader' } },
    Upload: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'upload', SecretString: 'first' } },
    Rotation: {
      Type: 'AWS::SecretsManager::RotationSchedule',
      Properties: {
        SecretId: { Ref: 'Upload' },
        RotationLambdaARN: NOTIFY,
        RotationRules: { AutomaticallyAfterDays: 30 },
        RotateImmediatelyOnUpdate: false,
      },
    },
  },
}

/** Served over loopback in real time, with a client of each service that knows nothing but an address and a key. */
export async function startWithClients() {
  const folder = temporaryFolder()
  const sent: unknown[] = []
  const listeners = new Set<() => void>()
  const notify = 'export const handler = async (event) => console.log(JSON.stringify(event))'
  const server = await startCloud({
    assembly: writeAssembly(folder.path, template, { notify }),
    parameters: () => ({}),
    directory: `${folder.path}/state`,
    clock: realClock,
    log(_name, text) {
      for (const line of text.split('\n').filter((one) => one.startsWith('{'))) sent.push(JSON.parse(line))
      for (const listener of listeners) listener()
    },
  })
  const { credentials } = server.cloud
  const config = { endpoint: server.awsUrl, region: 'us-east-1', credentials, maxAttempts: 1 }
  const clients = {
    s3: new S3Client(config),
    secrets: new SecretsManagerClient(config),
    iam: new IAMClient(config),
    sqs: new SQSClient(config),
    events: new EventBridgeClient(config),
    scheduler: new SchedulerClient(config),
    states: new SFNClient(config),
  }
  return {
    ...clients,
    config,
    /** Resolves to the first event the function gets, or has got, that is as it should be. */
    sent: (isIt: (event: SentEvent) => boolean) =>
      new Promise<SentEvent>((resolve) => {
        const look = () => {
          const found = (sent as SentEvent[]).find(isIt)
          if (!found) return
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        look()
      }),
    async close() {
      for (const client of Object.values(clients)) client.destroy()
      await server.close()
      folder[Symbol.dispose]()
    },
  }
}

/** An event of a bus, or a step of a rotation. */
export interface SentEvent {
  readonly source?: string
  readonly 'detail-type'?: string
  readonly detail?: { readonly object?: { readonly key: string }; readonly [name: string]: unknown }
  readonly Step?: string
  readonly ClientRequestToken?: string
}
