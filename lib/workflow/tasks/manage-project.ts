import { z } from 'zod'
import { projectStatuses } from '../../platform/contract/projects.ts'
import type { Task } from './task.ts'

const request = z.object({
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
})
const wanted = request.extend({
  ResourceProperties: z.object({ Name: z.string().min(1), Status: z.enum(projectStatuses) }),
})

export const manageProject = {
  summary: 'Create, suspend, reactivate or delete the platform project, as CloudFormation asks for it.',
  /** A custom resource's request; its physical id is the project's key. */
  input: z.discriminatedUnion('RequestType', [
    wanted.extend({ RequestType: z.literal('Create') }),
    wanted.extend({ RequestType: z.literal('Update'), PhysicalResourceId: z.string() }),
    // Without properties, so that a stack whose properties were refused can be rolled back.
    request.extend({ RequestType: z.literal('Delete'), PhysicalResourceId: z.string() }),
  ]),
  /** Also what CloudFormation has been answered. */
  output: z.object({ status: z.enum(['SUCCESS', 'FAILED']), reason: z.string().optional() }),
  timeout: 180,
  needs: ['account', 'projectSecret'],
} as const satisfies Task
