import type { Invocations } from '../functions/invocations.ts'
import type { DeadLetters, MessageAttributes } from '../queues/queues.ts'
import type { StepFunctions } from '../states/step-functions.ts'
import type { BusEvent } from './events.ts'
import type { TargetSpec } from './rules.ts'

export interface EventTargetsOptions {
  readonly invocations: Pick<Invocations, 'invokeLater'>
  readonly stepFunctions: Pick<StepFunctions, 'startExecution'>
  readonly queues: Pick<DeadLetters, 'send'>
  readonly newId: () => string
  /** Called with an event that could not start an execution, for example because it is too large for an input. */
  readonly onLost?: (machineName: string, error: Error) => void
}

export function createEventTargets({ invocations, stepFunctions, queues, newId, onLost }: EventTargetsOptions) {
  let isClosed = false
  const start = (rule: string, { arn: stateMachineArn, deadLetterQueue }: TargetSpec, input: string) => {
    try {
      stepFunctions.startExecution({ stateMachineArn, name: newId(), input })
    } catch (error) {
      if (deadLetterQueue) queues.send(deadLetterQueue, input, describeFailure(rule, stateMachineArn, error as Error))
      onLost?.(stateMachineArn.split(':').at(-1) ?? stateMachineArn, error as Error)
    }
  }
  return {
    /** Returns the delivery of a rule’s events. @param rule ARN */
    to:
      (rule: string, targets: readonly TargetSpec[]) =>
      (event: BusEvent): void => {
        if (isClosed) return
        for (const target of targets) {
          const { kind, arn, input } = target
          if (kind === 'machine') start(rule, target, input ?? JSON.stringify(event))
          else invocations.invokeLater(arn, input === undefined ? event : JSON.parse(input))
        }
      },
    /** Stops all deliveries, including those of aborted executions. */
    close(): void {
      isClosed = true
    },
  }
}

/**
 * Describes a failed delivery (EventBridge user guide, "Using dead-letter queues to process undelivered events").
 * Refusals of a machine are not retried.
 */
function describeFailure(rule: string, target: string, error: Error): MessageAttributes {
  const text = (value: string) => ({ type: 'String', value }) as const
  return {
    RULE_ARN: text(rule),
    TARGET_ARN: text(target),
    ERROR_CODE: text('SDK_CLIENT_ERROR'),
    ERROR_MESSAGE: text(error.message),
  }
}
