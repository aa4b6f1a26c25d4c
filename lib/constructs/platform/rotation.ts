import { type Duration, Stack } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import { CfnPermission } from 'aws-cdk-lib/aws-lambda'
import { CfnRotationSchedule, type ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { AsyncFunctionTarget } from '../async-target.ts'
import type { ShowrunnerFunction } from '../showrunner-function.ts'

export interface RotationProps {
  readonly secret: Pick<ISecret, 'secretArn'>
  /** The function of a task that carries out rotation steps. */
  readonly rotator: ShowrunnerFunction
  readonly days: number
  /** Interval at which the function completes postponed work of a rotation. */
  readonly followUp: Duration
}

/** Rotates a secret every so many days. */
export class Rotation extends Construct {
  readonly schedule: CfnRotationSchedule

  constructor(scope: Construct, id: string, { secret, rotator, days, followUp }: RotationProps) {
    super(scope, id)
    const permission = new CfnPermission(this, 'Permission', {
      action: 'lambda:InvokeFunction',
      functionName: rotator.functionArn,
      principal: 'secretsmanager.amazonaws.com',
      sourceAccount: Stack.of(this).account,
    })
    // The secret's own addRotationSchedule would grant the function more than its task needs.
    this.schedule = new CfnRotationSchedule(this, 'Schedule', {
      secretId: secret.secretArn,
      rotationLambdaArn: rotator.functionArn,
      rotationRules: { automaticallyAfterDays: days },
      rotateImmediatelyOnUpdate: false, // a deployment rotates nothing
    })
    this.schedule.addResourceDependency(permission)
    new Rule(this, 'FollowUp', {
      description: 'Completes postponed work of a rotation.',
      schedule: Schedule.rate(followUp),
      targets: [new AsyncFunctionTarget(rotator, { event: RuleTargetInput.fromObject({ Step: 'followUp' }) })],
    })
  }
}
