import { LambdaFunction, type LambdaFunctionProps } from 'aws-cdk-lib/aws-events-targets'
import type { ShowrunnerFunction } from './showrunner-function.ts'

/** A function as a rule's target; what does not reach it, and what it gives up, goes to its dead-letter queue. */
export class AsyncFunctionTarget extends LambdaFunction {
  constructor(called: ShowrunnerFunction, props: Pick<LambdaFunctionProps, 'event'> = {}) {
    super(called, { ...props, deadLetterQueue: called.deadLetters })
  }
}
