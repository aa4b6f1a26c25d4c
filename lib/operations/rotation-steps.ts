import type { Rotation } from '../aws/secret-rotation.ts'
import { TaskInputError } from '../tasks/errors.ts'
import type { RotationEvent, RotationStep } from '../tasks/operations.ts'

/** Functions for the steps of a rotation. Each takes the id of the pending version and can be repeated. */
export type RotationSteps = { readonly [Step in RotationStep]: (versionId: string) => Promise<unknown> }

type StepEvent = Exclude<RotationEvent, { Step: 'followUp' }>

/**
 * Runs the step that Secrets Manager asks for, unless the rotation is complete already.
 * @throws {@link TaskInputError} when the event names another secret, or a version that is not pending
 */
export async function doStep(
  rotation: Rotation,
  { Step, SecretId, ClientRequestToken: versionId }: StepEvent,
  steps: RotationSteps,
): Promise<'done' | 'done before'> {
  if (SecretId !== rotation.secretId)
    throw new TaskInputError(`This function rotates ${rotation.secretId}, not ${SecretId}.`)
  const stage = await rotation.stageOf(versionId)
  if (stage === 'current') return 'done before'
  if (stage !== 'pending')
    throw new TaskInputError(`The version ${versionId} of ${SecretId} is not pending: start a rotation.`)
  await steps[Step](versionId)
  return 'done'
}
