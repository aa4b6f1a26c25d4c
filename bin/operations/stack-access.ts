import { resolve } from 'node:path'
import { findRunningLocal, localFileOf } from '../local/local-file.ts'
import { type Outputs, readOutputs } from './outputs.ts'

/** How to reach the AWS services of a stack, beside its API. */
export interface StackAccess {
  readonly kind: 'laptop' | 'deployment'
  readonly outputs: Outputs
  /** Of an AWS client: where the laptop's AWS is, or the region, in which the SDK's usual chain finds credentials. */
  readonly config: {
    readonly region: string
    readonly endpoint?: string
    readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
  }
}

/**
 * The deployment of a stage, or without one the laptop that runs on a directory.
 * @throws Error in one sentence when there is none
 */
export async function findStack({
  stage,
  directory,
}: {
  readonly stage?: string | undefined
  readonly directory: string
}): Promise<StackAccess> {
  if (stage === undefined) {
    const { outputs, awsAccess } = await findRunningLocal(localFileOf(resolve(directory)))
    return { kind: 'laptop', outputs, config: awsAccess }
  }
  const outputs = await readOutputs(stage)
  const region = regionOf(outputs.ProjectSecretArn ?? '')
  if (!region) throw new Error(`The outputs of the stage ${stage} name no ProjectSecretArn: deploy it again.`)
  return { kind: 'deployment', outputs, config: { region } }
}

/** Of what an ARN names; undefined for what is none. */
const regionOf = (arn: string): string | undefined => /^arn:[\w-]+:\w+:([\w-]+):\d{12}:/.exec(arn)?.[1]

/** Whether an AWS client has not even asked. */
export const isWithoutCredentials = (error: Error) => error.name === 'CredentialsProviderError'

export const NO_CREDENTIALS = 'No AWS credentials were found: log in as for the AWS CLI, or set AWS_PROFILE.'
