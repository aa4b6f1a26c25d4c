import { z } from 'zod'
import { AwsError, operation } from '../endpoint/aws-json.ts'
import { ACCOUNT } from '../intrinsics.ts'
import type { QueueSpec, Queues } from './queues.ts'

export interface QueueAdministrationOptions {
  readonly queues: Queues
  /** URL of the AWS endpoint, with which the addresses of queues begin. */
  readonly awsUrl: string
  /** @throws AwsError for an unknown queue */
  readonly find: (input: { readonly QueueUrl: string }) => QueueSpec
}

const name = z.string().regex(/^[\w-]{1,80}$/)
const url = z.string()

/** SQS API reference, "CreateQueue". */
const MAX_RETENTION_S = 1_209_600
const DEFAULT_RETENTION_S = 345_600
const DEFAULT_VISIBILITY_S = 30

/** Attributes of an operator's queue. Queues here have no policies, so that one is accepted without an effect. */
const attributes = z.strictObject({
  MessageRetentionPeriod: z.coerce.number().int().min(60).max(MAX_RETENTION_S).default(DEFAULT_RETENTION_S),
  Policy: z.string().optional(),
})

/** Creates the operations with which operators add queues and remove them again. A queue of the stack is not removed. */
export const createQueueAdministration = ({ queues, awsUrl, find }: QueueAdministrationOptions) => ({
  CreateQueue: operation(
    { QueueName: name, Attributes: attributes.prefault({}) },
    ({ QueueName, Attributes: { MessageRetentionPeriod: retention } }) => {
      const present = queues.specs.find((one) => one.name === QueueName)
      if (present && present.retention !== retention)
        throw new AwsError('QueueNameExists', 'A queue already exists with the same name and other attributes.')
      if (queues.isDeletedRecently(QueueName))
        throw new AwsError(
          'QueueDeletedRecently',
          'You must wait 60 seconds after deleting a queue before you can create another queue with the same name.',
        )
      const QueueUrl = `${awsUrl}/${ACCOUNT}/${QueueName}`
      if (!present) queues.add({ name: QueueName, url: QueueUrl, retention, visibility: DEFAULT_VISIBILITY_S })
      return { QueueUrl }
    },
  ),
  SetQueueAttributes: operation(
    { QueueUrl: url, Attributes: z.strictObject({ Policy: z.string() }) },
    ({ QueueUrl }) => {
      find({ QueueUrl })
      return {}
    },
  ),
  ListQueues: operation({ QueueNamePrefix: z.string().optional() }, ({ QueueNamePrefix = '' }) => {
    const found = queues.specs.filter((one) => one.name.startsWith(QueueNamePrefix))
    return found.length > 0 ? { QueueUrls: found.map((one) => one.url) } : {}
  }),
  DeleteQueue: operation({ QueueUrl: url }, ({ QueueUrl }) => {
    if (!queues.delete(find({ QueueUrl })))
      throw new AwsError('UnsupportedOperation', 'A queue of the stack cannot be deleted locally.')
    return {}
  }),
})
