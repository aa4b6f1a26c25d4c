import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { AsyncFunctionTarget } from '../async-target.ts'
import type { ShowrunnerFunction } from '../showrunner-function.ts'

/** Queries Insights every hour for the usage of shows and days; the next query repeats a failed one. */
export class Usage extends Construct {
  constructor(scope: Construct, id: string, { recorder }: { recorder: ShowrunnerFunction }) {
    super(scope, id)
    new Rule(this, 'Regularly', {
      description: 'Records usage, once Insights reports it.',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new AsyncFunctionTarget(recorder)],
    })
  }
}
