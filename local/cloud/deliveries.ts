import type { BusEvent } from './events.ts'
import type { Invocations } from './functions/invocations.ts'
import type { TargetSpec } from './rules.ts'
import type { StepFunctions } from './states/step-functions.ts'

export interface DeliveriesOptions {
  readonly invocations: Pick<Invocations, 'invokeLater'>
  readonly stepFunctions: Pick<StepFunctions, 'startExecution'>
  /** Names of executions. */
  readonly newId: () => string
  /** Told of an event that could not start an execution, such as one that is too large for an input. */
  readonly onLost?: (machineName: string, error: Error) => void
}

/** The way of events to what rules call. */
export interface Deliveries {
  to(targets: readonly TargetSpec[]): (event: BusEvent) => void
  /** Delivers nothing any more: not even that executions are aborted. */
  close(): void
}

export function createDeliveries({ invocations, stepFunctions, newId, onLost }: DeliveriesOptions): Deliveries {
  let isClosed = false
  const start = (stateMachineArn: string, input: string) => {
    try {
      stepFunctions.startExecution({ stateMachineArn, name: newId(), input })
    } catch (error) {
      onLost?.(stateMachineArn.split(':').at(-1) ?? stateMachineArn, error as Error)
    }
  }
  return {
    to: (targets) => (event) => {
      if (isClosed) return
      for (const { kind, arn, input } of targets) {
        if (kind === 'machine') start(arn, input ?? JSON.stringify(event))
        else invocations.invokeLater(arn, input === undefined ? event : JSON.parse(input))
      }
    },
    close() {
      isClosed = true
    },
  }
}
