import { readRotationRules } from '../secrets/rotation-rules.ts'
import type { RotationSpec } from '../secrets/rotations.ts'
import type { RotationRules } from '../secrets/versions.ts'
import type { AllOf } from './routes.ts'

/** @throws Error naming the schedule without a secret or function of the stack, or with invalid rules */
export function readRotations(all: AllOf, requireFunction: (user: string, arn: unknown) => string): RotationSpec[] {
  const secrets = all('AWS::SecretsManager::Secret')
  return all<RotationProperties>('AWS::SecretsManager::RotationSchedule').map(({ id, properties }) => {
    const { SecretId: secretArn, RotationLambdaARN, RotationRules: rules = {} } = properties
    if (!secrets.some(({ ref }) => ref === secretArn))
      throw new Error(`${id}: ${secretArn} is not a secret of the stack, and only those can be rotated.`)
    try {
      readRotationRules(rules)
    } catch (error) {
      throw new Error(`${id}: ${(error as Error).message}`, { cause: error })
    }
    const functionArn = requireFunction(id, RotationLambdaARN)
    return { secretArn, functionArn, rules, rotatesOnChange: properties.RotateImmediatelyOnUpdate ?? true }
  })
}

interface RotationProperties {
  SecretId: string
  RotationLambdaARN?: string
  RotationRules?: RotationRules
  RotateImmediatelyOnUpdate?: boolean
}
