import { createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import type { StepFunctionsOptions } from '../../../../local/cloud/states/operations.ts'
import { createStepFunctions, type StepFunctions } from '../../../../local/cloud/states/step-functions.ts'

export const START = Date.parse('2026-01-01T00:00:00Z')
export const MACHINE = 'arn:aws:states:eu-west-1:000000000000:stateMachine:show'
export const FUNCTION = 'arn:aws:lambda:eu-west-1:000000000000:function:task'

/** A function with any payload. */
type Handler = (payload: never, signal: AbortSignal) => unknown

export interface LocalStates {
  readonly clock: SteppedClock
  readonly states: StepFunctions
  /** Adds the machine `show` (or another) with these states, starting at the first. */
  add(states: object, more?: { name?: string; TimeoutSeconds?: number }): string
  /** Starts an execution of `show` and returns its ARN. */
  start(input?: unknown, name?: string): string
  /** Runs it to its end, moving the clock as far as it takes, and describes it. */
  run(input?: unknown): Promise<ReturnType<StepFunctions['describeExecution']> & { value: unknown }>
  /** The types of the last execution's events. */
  types(): string[]
  /** The last execution's events as `id<previous Type`. */
  chain(): string[]
  /** The details of its first event of a type. */
  event(type: string): unknown
}

/** Creates Step Functions with a stepped clock, seeded randomness, and functions by name. */
export function createLocalStates(
  functions: Record<string, Handler> = {},
  options: Partial<StepFunctionsOptions> = {},
): LocalStates {
  const clock = createSteppedClock(START)
  let seed = 1
  const states = createStepFunctions({
    clock,
    random: () => {
      seed = (seed * 48271) % 2147483647
      return seed / 2147483647
    },
    region: 'eu-west-1',
    account: '000000000000',
    invoke: async (arn, payload, signal) => {
      const handler = functions[arn.split(':')[6] as string]
      if (!handler)
        throw Object.assign(new Error(`Function not found: ${arn}`), { name: 'Lambda.ResourceNotFoundException' })
      return handler(payload as never, signal)
    },
    ...options,
  })
  let last = ''
  const events = () => states.executionHistory({ executionArn: last })
  const laptop: LocalStates = {
    clock,
    states,
    add(definition, { name = 'show', ...more } = {}) {
      const arn = MACHINE.replace(/show$/, name)
      const startAt = Object.keys(definition)[0]
      states.addMachine({
        arn,
        name,
        definition: { QueryLanguage: 'JSONata', StartAt: startAt, States: definition, ...more },
      })
      return arn
    },
    start(input = {}, name) {
      const started = states.startExecution({
        stateMachineArn: MACHINE,
        input: JSON.stringify(input),
        ...(name && { name }),
      })
      last = started.executionArn
      return last
    },
    async run(input) {
      const executionArn = laptop.start(input)
      for (;;) {
        await clock.advance(0)
        const description = states.describeExecution({ executionArn })
        if (description.status !== 'RUNNING')
          return {
            ...description,
            value: description.output === undefined ? undefined : JSON.parse(description.output),
          }
        if (!clock.step()) throw new Error('the execution waits for nothing on the clock')
      }
    },
    types: () => events().map(({ type }) => type),
    chain: () => events().map(({ id, previousEventId, type }) => `${id}<${previousEventId} ${type}`),
    event(type) {
      const found = events().find((event) => event.type === type)
      return Object.entries(found ?? {}).find(([field]) => field.endsWith('EventDetails'))?.[1]
    },
  }
  return laptop
}

/** An error as a Lambda reports it. */
export const failure = (name: string, message = ''): Error => Object.assign(new Error(message), { name })
