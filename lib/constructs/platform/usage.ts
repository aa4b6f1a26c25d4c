import { Duration } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { Construct } from 'constructs'
import { AsyncFunctionTarget } from '../async-target.ts'
import type { ShowrunnerFunction } from '../showrunner-function.ts'

/** Has it looked every hour of which shows and days Insights can tell by now: what one call misses, the next one does. */
export class Usage extends Construct {
  constructor(scope: Construct, id: string, { recorder }: { recorder: ShowrunnerFunction }) {
    super(scope, id)
    new Rule(this, 'Regularly', {
      description: 'Records what was used, once Insights can tell it.',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new AsyncFunctionTarget(recorder)],
    })
  }
}
