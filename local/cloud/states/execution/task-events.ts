import type { StatesError } from '../definition/errors.ts'
import type { TaskKind } from '../tasks.ts'
import { emit, type Flow } from './flow.ts'
import { type EventDetails, WHOLE } from './history.ts'
import type { StatePayload } from './payload.ts'

/** Creates a task’s events as AWS writes them: three for a success or failure, and one more for an awaited job. */
export function createTaskEvents(flow: Flow, kind: TaskKind) {
  const isFunction = 'function' in kind
  const prefix = isFunction ? 'LambdaFunction' : 'Task'
  const about = isFunction ? {} : { resourceType: kind.resourceType, resource: kind.resource }
  const write = (step: string, details: object) => {
    const field = `${isFunction ? 'lambdaFunction' : 'task'}${step}EventDetails` as const
    const isBare = isFunction && step === 'Started'
    emit(flow, `${prefix}${step}`, isBare ? undefined : ({ [field]: { ...about, ...details } } as EventDetails))
  }
  const output = ({ text }: StatePayload) => ({ output: text, outputDetails: WHOLE })

  return {
    scheduled(args: StatePayload, timeoutInSeconds: number | undefined): void {
      const timeout = timeoutInSeconds === undefined ? {} : { timeoutInSeconds }
      const call = isFunction
        ? { resource: kind.function, input: args.text, inputDetails: WHOLE }
        : { region: kind.region, parameters: args.text }
      write('Scheduled', { ...call, ...timeout })
    },
    started: () => write('Started', {}),
    submitted: (payload: StatePayload) => write('Submitted', output(payload)),
    succeeded: (payload: StatePayload) => write('Succeeded', output(payload)),
    failed: ({ name, message }: StatesError) => write('Failed', { error: name, cause: message }),
    timedOut: () => write('TimedOut', { error: 'States.Timeout' }),
  }
}
