import { z } from 'zod'
import type { Task } from './task.ts'

/** In the order in which Secrets Manager asks for them. */
export const rotationSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const
export type RotationStep = (typeof rotationSteps)[number]

/** What Secrets Manager calls a rotation function with, or the schedule that sees to what a rotation had to leave. */
export const rotationEvent = z.union([
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

export const rotateUploadKey = {
  summary:
    'Rotate the key the platform uploads with, step by step, and retire old ones once nothing can be uploaded with them.',
  /** `revoke` deactivates former keys at once, for `rotate upload-key --revoke`. */
  input: z.union([...rotationEvent.options, z.object({ Step: z.literal('revoke') })]),
  output: z.object({
    outcome: z.enum(['done', 'done before', 'nothing to do']),
    /** Ids of old keys, by what became of them. */
    deactivated: z.array(z.string()).optional(),
    deleted: z.array(z.string()).optional(),
    kept: z.array(z.string()).optional(),
  }),
  timeout: 180,
  needs: ['platform', 'uploadKey', 'uploadKeyRotation'],
} as const satisfies Task
