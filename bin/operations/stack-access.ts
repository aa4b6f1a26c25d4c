import { resolve } from 'node:path'
import type { AwsAccess } from '../local/aws-access.ts'
import { findRunningLocal, localFileOf } from '../local/local-file.ts'
import { type Outputs, readOutputs } from './outputs.ts'

/** Access to the AWS services of a stack. */
export interface StackAccess {
  readonly kind: 'local' | 'deployment'
  readonly outputs: Outputs
  /** Configuration of AWS clients. Without an endpoint the SDK finds credentials in its usual chain. */
  readonly config: Pick<AwsAccess, 'region'> & Partial<AwsAccess>
}

export interface StackOptions {
  readonly stage?: string | undefined
  readonly directory: string
}

/**
 * Returns access to the deployment of a stage, or without a stage to the running `npm start` of a directory.
 * @throws Error when there is none
 */
export async function findStack({ stage, directory }: StackOptions): Promise<StackAccess> {
  if (stage === undefined) {
    const { outputs, awsAccess } = await findRunningLocal(localFileOf(resolve(directory)))
    return { kind: 'local', outputs, config: awsAccess }
  }
  const outputs = await readOutputs(stage)
  const region = regionOf(outputs.ProjectSecretArn ?? '')
  if (!region) throw new Error(`The outputs of the stage ${stage} have no ProjectSecretArn. Deploy it again.`)
  return { kind: 'deployment', outputs, config: { region } }
}

const regionOf = (arn: string): string | undefined => /^arn:[\w-]+:\w+:([\w-]+):\d{12}:/.exec(arn)?.[1]

/** Returns true if an AWS client found no credentials. */
export const isWithoutCredentials = (error: Error) => error.name === 'CredentialsProviderError'

export const NO_CREDENTIALS = 'No AWS credentials were found. Log in as for the AWS CLI, or set AWS_PROFILE.'
