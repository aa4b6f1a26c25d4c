import { randomUUID } from 'node:crypto'
import { PutEventsCommand } from '@aws-sdk/client-eventbridge'
import {
  CreateAccessKeyCommand,
  DeleteAccessKeyCommand,
  IAMClient,
  ListAccessKeysCommand,
  UpdateAccessKeyCommand,
} from '@aws-sdk/client-iam'
import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler'
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  RedriveExecutionCommand,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn'
import { DeleteMessageCommand, GetQueueAttributesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { expect } from 'vitest'
import { refusal } from '../small-cloud.ts'
import type { Row } from './clients.ts'

const arnOf = (machine: string) => `arn:aws:states:us-east-1:000000000000:stateMachine:${machine}`
const start = async (states: SFNClient, machine: string) =>
  (await states.send(new StartExecutionCommand({ stateMachineArn: arnOf(machine), name: randomUUID() }))).executionArn
/** Asks until it is over, which the machines here are as soon as they were started. */
async function ended(states: SFNClient, executionArn: string | undefined) {
  for (;;) {
    const described = await states.send(new DescribeExecutionCommand({ executionArn }))
    if (described.status !== 'RUNNING') return described
  }
}

const schedule = (Name: string): CreateScheduleCommandInput => ({
  Name,
  GroupName: 'shows',
  ScheduleExpression: 'at(2100-01-01T00:00:00)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: {
    Arn: 'arn:aws:lambda:us-east-1:000000000000:function:Notify',
    RoleArn: 'arn:aws:iam::0:role/a',
    Input: '{}',
  },
})
const [UserName, SecretId, QueueUrl] = ['uploader', 'upload', 'http://127.0.0.1/000000000000/lost']

export const secretsRows: Row[] = [
  [
    'CreateSecret, GetSecretValue',
    'once under a name',
    async ({ secrets }) => {
      const Name = `shows/${randomUUID()}`
      const { ARN } = await secrets.send(new CreateSecretCommand({ Name, SecretString: 'x' }))
      expect(await secrets.send(new GetSecretValueCommand({ SecretId: ARN }))).toMatchObject({
        Name,
        SecretString: 'x',
      })
      const again = secrets.send(new CreateSecretCommand({ Name, SecretString: 'y' }))
      expect(await refusal(again)).toBe('ResourceExistsException')
    },
  ],
  [
    'PutSecretValue … UpdateSecretVersionStage',
    'pending first, then current, the former one previous',
    async ({ secrets }) => {
      const Name = `shows/${randomUUID()}`
      const first = await secrets.send(new CreateSecretCommand({ Name, SecretString: 'first' }))
      const pending = { SecretId: Name, SecretString: 'second', VersionStages: ['AWSPENDING'] }
      const { VersionId } = await secrets.send(new PutSecretValueCommand(pending))
      const move = { MoveToVersionId: VersionId, RemoveFromVersionId: first.VersionId }
      await secrets.send(new UpdateSecretVersionStageCommand({ SecretId: Name, VersionStage: 'AWSCURRENT', ...move }))
      const at = async (VersionStage: string) =>
        (await secrets.send(new GetSecretValueCommand({ SecretId: Name, VersionStage }))).SecretString
      expect([await at('AWSCURRENT'), await at('AWSPREVIOUS'), await at('AWSPENDING')]).toEqual([
        'second',
        'first',
        'second',
      ])
      const { Versions } = await secrets.send(new ListSecretVersionIdsCommand({ SecretId: Name }))
      expect(Versions).toHaveLength(2)
    },
  ],
  [
    'RotateSecret, DescribeSecret',
    'calls the rotation function from its first step on',
    async ({ secrets, sent }) => {
      const ClientRequestToken = randomUUID()
      await secrets.send(new RotateSecretCommand({ SecretId, ClientRequestToken }))
      await sent((event) => event.Step === 'createSecret' && event.ClientRequestToken === ClientRequestToken)
      const described = await secrets.send(new DescribeSecretCommand({ SecretId }))
      expect(described).toMatchObject({
        RotationEnabled: true,
        VersionIdsToStages: { [ClientRequestToken]: ['AWSPENDING'] },
      })
      expect(described.NextRotationDate?.getTime()).toBeGreaterThan(Date.now())
    },
  ],
]

export const iamRows: Row[] = [
  [
    'CreateAccessKey … DeleteAccessKey',
    'two at most; inactive and deleted ones open nothing',
    async ({ iam, sqs, config }) => {
      const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }))
      const { AccessKeyId = '', SecretAccessKey = '' } = AccessKey ?? {}
      const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey }
      const look = () => {
        const client = new IAMClient({ ...config, credentials })
        return client.send(new ListAccessKeysCommand({ UserName }))
      }
      expect((await look()).AccessKeyMetadata).toMatchObject([{ AccessKeyId, Status: 'Active' }])
      await iam.send(new CreateAccessKeyCommand({ UserName }))
      expect(await refusal(iam.send(new CreateAccessKeyCommand({ UserName })))).toBe('LimitExceededException')
      await iam.send(new UpdateAccessKeyCommand({ UserName, AccessKeyId, Status: 'Inactive' }))
      expect(await refusal(look())).toBe('InvalidClientTokenId')
      await iam.send(new DeleteAccessKeyCommand({ UserName, AccessKeyId }))
      expect((await iam.send(new ListAccessKeysCommand({ UserName }))).AccessKeyMetadata).toHaveLength(1)
      await sqs.send(new GetQueueAttributesCommand({ QueueUrl }))
    },
  ],
]

export const eventRows: Row[] = [
  [
    'PutEvents',
    'to a bus of the stack, in EventBridge’s shape',
    async ({ events, sent }) => {
      const id = randomUUID()
      const entry = { Source: 'platform', DetailType: 'call ended', Detail: JSON.stringify({ id }) }
      const { Entries } = await events.send(
        new PutEventsCommand({ Entries: [entry, { ...entry, EventBusName: 'platform' }, { ...entry, Detail: '' }] }),
      )
      expect(Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([undefined, undefined, 'InvalidArgument'])
      const event = await sent(({ detail }) => detail?.id === id)
      expect(event).toMatchObject({ id: Entries?.[1]?.EventId, 'detail-type': 'call ended', account: '000000000000' })
    },
  ],
  [
    'ReceiveMessage … DeleteMessage',
    'of what could not be delivered',
    async ({ events, sqs }) => {
      const Entries = [{ Source: 'large', DetailType: 'a', Detail: JSON.stringify({ text: 'x'.repeat(262_144) }) }]
      await events.send(new PutEventsCommand({ Entries }))
      const count = async () => {
        const AttributeNames = ['ApproximateNumberOfMessages' as const]
        const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }))
        return Attributes?.ApproximateNumberOfMessages
      }
      expect(await count()).toBe('1')
      const MessageAttributeNames = ['All']
      const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames }))
      const [{ ReceiptHandle, MessageAttributes } = {}] = Messages ?? []
      expect(MessageAttributes?.TARGET_ARN?.StringValue).toBe(arnOf('succeeds'))
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
      expect(await count()).toBe('0')
    },
  ],
]

export const schedulerRows: Row[] = [
  [
    'CreateSchedule … DeleteSchedule',
    'each once, listed by group',
    async ({ scheduler }) => {
      const Name = randomUUID()
      await scheduler.send(new CreateScheduleCommand(schedule(Name)))
      expect(await refusal(scheduler.send(new CreateScheduleCommand(schedule(Name))))).toBe('ConflictException')
      const ScheduleExpression = 'cron(0 9 ? * 3#2 *)'
      const changed = { ...schedule(Name), ScheduleExpression, ScheduleExpressionTimezone: 'Europe/Berlin' }
      await scheduler.send(new UpdateScheduleCommand(changed))
      const at = { Name, GroupName: 'shows' }
      expect(await scheduler.send(new GetScheduleCommand(at))).toMatchObject({ ScheduleExpression, State: 'ENABLED' })
      const { Schedules } = await scheduler.send(new ListSchedulesCommand({ GroupName: 'shows' }))
      expect(Schedules?.map((one) => one.Name)).toEqual([Name])
      await scheduler.send(new DeleteScheduleCommand(at))
      expect(await refusal(scheduler.send(new GetScheduleCommand(at)))).toBe('ResourceNotFoundException')
    },
  ],
]

export const statesRows: Row[] = [
  [
    'StartExecution, DescribeExecution, GetExecutionHistory',
    'of one that succeeds',
    async ({ states }) => {
      const executionArn = await start(states, 'succeeds')
      expect(await ended(states, executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '{}' })
      const { events } = await states.send(new GetExecutionHistoryCommand({ executionArn, reverseOrder: true }))
      expect(events?.map(({ type }) => type).at(0)).toBe('ExecutionSucceeded')
      expect(await refusal(start(states, 'other'))).toBe('StateMachineDoesNotExist')
    },
  ],
  [
    'RedriveExecution',
    'of one that failed',
    async ({ states }) => {
      const executionArn = await start(states, 'fails')
      expect(await ended(states, executionArn)).toMatchObject({ status: 'FAILED', error: 'Broken' })
      await states.send(new RedriveExecutionCommand({ executionArn }))
      expect(await ended(states, executionArn)).toMatchObject({ status: 'FAILED', redriveCount: 1 })
    },
  ],
  [
    'StopExecution, ListExecutions',
    'of one that waits',
    async ({ states }) => {
      const executionArn = await start(states, 'waits')
      await states.send(new StopExecutionCommand({ executionArn, error: 'Stopped', cause: 'by hand' }))
      const list = { stateMachineArn: arnOf('waits'), statusFilter: 'ABORTED' as const }
      const { executions } = await states.send(new ListExecutionsCommand(list))
      expect(executions).toMatchObject([{ executionArn, status: 'ABORTED' }])
    },
  ],
]
