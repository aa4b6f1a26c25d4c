import { z } from 'zod'
import type { Task } from './task.ts'

export const deleteUploadKeys = {
  summary: 'Delete every key of the user as whom the platform uploads, when CloudFormation deletes the stack.',
  /** A custom resource's request. */
  input: z.object({
    RequestType: z.enum(['Create', 'Update', 'Delete']),
    ResponseURL: z.url(),
    StackId: z.string(),
    RequestId: z.string(),
    LogicalResourceId: z.string(),
    PhysicalResourceId: z.string().optional(),
  }),
  /** Also what CloudFormation has been answered. */
  output: z.object({ status: z.enum(['SUCCESS', 'FAILED']), reason: z.string().optional() }),
  timeout: 120,
  needs: ['uploadKeyDeletion'],
} as const satisfies Task
