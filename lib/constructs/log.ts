import { RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'

export interface LogProps {
  readonly logGroupName: string
  /** How long lines are kept. */
  readonly days: RetentionDays
}

/** A log of the deployment; goes with it, since what has to outlive it is in the bucket. */
export class Log extends LogGroup {
  constructor(scope: Construct, id: string, { logGroupName, days }: LogProps) {
    super(scope, id, { logGroupName, retention: days, removalPolicy: RemovalPolicy.DESTROY })
  }
}
