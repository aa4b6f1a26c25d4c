import { RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'

export interface LogProps {
  readonly logGroupName: string
  /** Days for which lines are kept. */
  readonly days: RetentionDays
}

/** A log that is deleted with the deployment: data that must outlive it are in the bucket. */
export class Log extends LogGroup {
  constructor(scope: Construct, id: string, { logGroupName, days }: LogProps) {
    super(scope, id, { logGroupName, retention: days, removalPolicy: RemovalPolicy.DESTROY })
  }
}
