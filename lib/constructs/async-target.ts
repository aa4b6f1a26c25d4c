import { LambdaFunction, type LambdaFunctionProps } from 'aws-cdk-lib/aws-events-targets'
import type { ShowrunnerFunction } from './showrunner-function.ts'

/** Returns a function as the target of a rule; events that cannot be delivered or fail go to its dead-letter queue. */
export class AsyncFunctionTarget extends LambdaFunction {
  constructor(called: ShowrunnerFunction, props: Pick<LambdaFunctionProps, 'event'> = {}) {
    super(called, { ...props, deadLetterQueue: called.deadLetters })
  }
}
