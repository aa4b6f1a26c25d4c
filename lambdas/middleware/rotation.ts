import type { Rotation } from '../../lib/aws/secret-rotation.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { RotationEvent, RotationStep } from '../../lib/tasks/operations.ts'

/** What is done at each step of a rotation; every one is given the pending version and can be repeated. */
export type RotationSteps = { readonly [Step in RotationStep]: (versionId: string) => Promise<unknown> }

type StepEvent = Exclude<RotationEvent, { Step: 'followUp' }>

/**
 * Does the step that Secrets Manager asks for, unless the rotation has come to its end already.
 * @throws TaskInputError when it is asked for another secret, or for a version that no rotation has begun
 */
export async function doStep(
  { Step, SecretId, ClientRequestToken: versionId }: StepEvent,
  rotation: Rotation,
  steps: RotationSteps,
): Promise<'done' | 'done before'> {
  if (SecretId !== rotation.secretId)
    throw new TaskInputError(`This function rotates ${rotation.secretId}, not ${SecretId}.`)
  const standing = await rotation.standingOf(versionId)
  if (standing === 'current') return 'done before'
  if (standing !== 'pending')
    throw new TaskInputError(`The version ${versionId} of ${SecretId} is not pending: begin a rotation for it.`)
  await steps[Step](versionId)
  return 'done'
}
