import { z } from 'zod'
import { ownerEvent } from '../events/owner-events.ts'
import { platformEvents } from '../events/platform-events.ts'
import { projectStatuses } from '../platform/contract/projects.ts'
import type { Task } from './task.ts'

/** The steps of a rotation, in the order of Secrets Manager. */
export const rotationSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const
export type RotationStep = (typeof rotationSteps)[number]

/** The event of a rotation function: a step of Secrets Manager, or the schedule that completes postponed work. */
const rotationEvent = z.union([
  z.object({
    Step: z.enum(rotationSteps),
    /** ARN of the secret. */
    SecretId: z.string(),
    /** Id of the pending version. */
    ClientRequestToken: z.string(),
  }),
  z.object({ Step: z.literal('followUp') }),
])
export type RotationEvent = z.output<typeof rotationEvent>

const request = z.object({
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
})
const wanted = request.extend({
  ResourceProperties: z.object({ Name: z.string().min(1), Status: z.enum(projectStatuses) }),
})

export const operationTasks = {
  notifyOwner: {
    summary: 'Read one event from the records and post it to the callback that the show names, signed.',
    /** Identifies the event; its other fields on the bus are not trusted. */
    input: z.object({
      event: ownerEvent
        .pick({ id: true, showId: true, archiveId: true })
        .required({ showId: true })
        /** True for an event that an operator sends again, also after the app has answered 410. */
        .extend({ replay: z.boolean().optional() }),
    }),
    output: z.object({
      id: z.string(),
      /** `gone` when the app wants no further events of this show; `refused` when it rejects this one, which fails the execution. */
      outcome: z.enum(['accepted', 'gone', 'refused']),
      /** Status of the app's answer; absent when no request was sent, because the app has answered 410 before. */
      status: z.int().optional(),
      /** Why it was refused, as a message. */
      reason: z.string().optional(),
    }),
    timeout: 30,
    capabilities: ['showRecords', 'publishedManifests', 'clipRecords', 'deliveries', 'callbacks', 'showSecrets'],
  },
  rotateUploadKey: {
    summary:
      'Rotate the key that the platform uploads with, step by step, and retire old keys once nothing can be uploaded with them.',
    /** `revoke` deactivates former keys at once, for `rotate upload-key --revoke`. */
    input: z.union([...rotationEvent.options, z.object({ Step: z.literal('revoke') })]),
    output: z.object({
      outcome: z.enum(['done', 'done before', 'nothing to do']),
      /** Ids of old keys, by their outcome. */
      deactivated: z.array(z.string()).optional(),
      deleted: z.array(z.string()).optional(),
      kept: z.array(z.string()).optional(),
    }),
    timeout: 180,
    capabilities: ['platform', 'uploadKey', 'uploadKeyRotation'],
  },
  rotateProjectSecret: {
    summary: 'Rotate the secret of the platform project, step by step, at a time when no show runs.',
    input: rotationEvent,
    output: z.object({
      outcome: z.enum(['done', 'done before', 'nothing to do', 'waits']),
      /** The show that it waits for. */
      showId: z.string().optional(),
    }),
    timeout: 120,
    capabilities: ['account', 'projectSecretRotation', 'showStates', 'unfinishedShows', 'rotationLockWriting'],
  },
  deleteUploadKeys: {
    summary: 'Delete every key of the upload user, when CloudFormation deletes the stack.',
    /** A custom resource's request. */
    input: z.object({
      RequestType: z.enum(['Create', 'Update', 'Delete']),
      ResponseURL: z.url(),
      StackId: z.string(),
      RequestId: z.string(),
      LogicalResourceId: z.string(),
      PhysicalResourceId: z.string().optional(),
    }),
    /** The answer that CloudFormation got. */
    output: z.object({ status: z.enum(['SUCCESS', 'FAILED']), reason: z.string().optional() }),
    timeout: 120,
    capabilities: ['uploadKeyDeletion'],
  },
  manageProject: {
    summary: 'Create, suspend, reactivate or delete the platform project, as CloudFormation asks for it.',
    /** A custom resource's request; its physical id is the project's key. */
    input: z.discriminatedUnion('RequestType', [
      wanted.extend({ RequestType: z.literal('Create') }),
      wanted.extend({ RequestType: z.literal('Update'), PhysicalResourceId: z.string() }),
      // Without properties, so that a stack whose properties were refused can be rolled back.
      request.extend({ RequestType: z.literal('Delete'), PhysicalResourceId: z.string() }),
    ]),
    /** The answer that CloudFormation got. */
    output: z.object({ status: z.enum(['SUCCESS', 'FAILED']), reason: z.string().optional() }),
    timeout: 180,
    capabilities: ['account', 'projectSecret'],
  },
  receiveCallback: {
    summary: 'Verify a callback of the platform, answer it, and have it handled.',
    /** A request in API Gateway's payload format 2.0. */
    input: z.object({
      headers: z.record(z.string(), z.string()),
      pathParameters: z.object({ kind: z.string() }),
      body: z.string().default(''),
      isBase64Encoded: z.boolean(),
    }),
    /** The answer. */
    output: z.object({ statusCode: z.int(), headers: z.record(z.string(), z.string()), body: z.string() }),
    timeout: 29,
    capabilities: ['platformCallbacks'],
  },
  handleCallback: {
    summary: 'Record what a verified callback of the platform reports, and publish it on the stack’s own bus, once.',
    /** An event of the stack's own bus, on which only functions of the stack can put any. */
    input: z.object({ detail: z.discriminatedUnion('kind', Object.values(platformEvents) as never) }),
    output: z.object({ outcome: z.enum(['done', 'done before']) }),
    timeout: 30,
    capabilities: ['platformEvents', 'platform', 'showRequests', 'showProgress', 'showSecrets', 'unfinishedShows'],
  },
  recordUsage: {
    summary: 'Query Insights for the usage of shows and days, once it is complete, and store it.',
    input: z.unknown(),
    output: z.object({
      /** Shows and dates of which something was stored. */
      shows: z.array(z.string()),
      days: z.array(z.string()),
      /** Shows and dates that failed. */
      failed: z.array(z.string()),
    }),
    timeout: 300,
    capabilities: ['platform', 'insights', 'showStates', 'usageRecording'],
  },
} as const satisfies Record<string, Task>
