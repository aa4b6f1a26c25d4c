import { PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { ListObjectVersionsCommand } from '@aws-sdk/client-s3'
import { GetScheduleCommand, ResourceNotFoundException as MissingSchedule } from '@aws-sdk/client-scheduler'
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ResourceNotFoundException as MissingSecret,
} from '@aws-sdk/client-secrets-manager'
import { DescribeExecutionCommand } from '@aws-sdk/client-sfn'
import type { AwsError } from '../../../cloud/endpoint/aws-json.ts'
import type { Network } from '../network.ts'
import { type DirectAnswer, type DirectCall, type DirectCloud, METADATA } from './direct-call.ts'
import { directObjectCallOf } from './direct-objects.ts'

/** Versions on a page where the pages of indexes are short. They are asked for, since a request that is signed cannot be changed. */
const VERSIONS_ON_A_PAGE = 5

/** A client of the AWS SDK. Its request handler receives the options of a call. */
export interface SendingClient {
  send(command: unknown, options?: object): Promise<unknown>
}

/**
 * Lets a client read and write without HTTP, XML and signatures, which take most of a simulation’s time and of which no
 * invariant depends. Only calls that succeed, and reads of missing objects, are answered directly. Under a fault, or when
 * the service refuses, the same call is made with the whole protocol.
 */
export function callDirectly(client: SendingClient, cloud: DirectCloud, skipProtocol: Network['skipProtocol']): void {
  const send = client.send.bind(client)
  client.send = async (command, options) => {
    if (command instanceof ListObjectVersionsCommand && cloud.pageSize) command.input.MaxKeys = VERSIONS_ON_A_PAGE
    const direct = options === undefined ? directCallOf(command, cloud) : undefined
    if (!direct) return send(command, options)
    const { value, passed } = await skipProtocol(direct.name, direct.act, detailsOf)
    if (!value) return send(command, { passed })
    if (value.output instanceof Error) throw value.output
    return value.output
  }
}

/** Returns the details of a call that the trace has of its request and answer. */
const detailsOf = ({ status, path, version }: DirectAnswer) => ({
  ...(status !== undefined && { status }),
  ...(path !== undefined && { path }),
  ...(version !== undefined && { version }),
})

/** Returns undefined for every other command, and for parameters that are not known here. */
function directCallOf(command: unknown, cloud: DirectCloud): DirectCall | undefined {
  const { secrets, stepFunctions, events, scheduler } = cloud
  if (command instanceof DescribeExecutionCommand) {
    const { executionArn = '' } = command.input
    return callOf('AWSStepFunctions DescribeExecution', () => stepFunctions.describeExecution({ executionArn }))
  }
  if (command instanceof DescribeSecretCommand) {
    const { SecretId: id = '' } = command.input
    return callOf('secretsmanager DescribeSecret', () => secrets.labelsOf(id), MissingSecret)
  }
  if (command instanceof GetSecretValueCommand) {
    const { input } = command
    return callOf('secretsmanager GetSecretValue', () => secrets.valueIn({ ...input }), MissingSecret)
  }
  if (command instanceof PutEventsCommand) {
    const { Entries = [] } = command.input
    return callOf('AWSEvents PutEvents', () => events.putEvents({ Entries: Entries as object[] as Entry[] }))
  }
  if (command instanceof GetScheduleCommand) {
    const { GroupName = '', Name = '' } = command.input
    return callOf(`scheduler GetSchedule ${Name}`, () => scheduler.get(GroupName, Name), MissingSchedule)
  }
  return directObjectCallOf(command, cloud)
}

type Entry = Readonly<Record<string, unknown>>

/** The error for a missing secret or schedule, and for a missing version of a secret. */
const MISSING = 'ResourceNotFoundException'

/** @param Missing class of the error for a missing resource. @default the protocol answers with it */
const callOf = (
  name: string,
  read: () => object,
  Missing?: typeof MissingSecret | typeof MissingSchedule,
): DirectCall => ({
  name,
  async act() {
    try {
      return { output: { ...METADATA, ...read() } }
    } catch (error) {
      const { name: code, message = '', status = 0 } = error as Partial<AwsError>
      if (code !== MISSING || !Missing) return undefined // the protocol answers with the error
      return { status, output: new Missing({ message, Message: message, $metadata: { httpStatusCode: status } }) }
    }
  },
})
