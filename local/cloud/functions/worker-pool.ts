import { type Clock, getAhead, startTimeout, type Timer } from '../../../lib/clock.ts'
import { type ExecutionEnvironment, exited } from './execution-environment.ts'
import { FunctionError, type FunctionSpec, type InvocationContext } from './function.ts'
import { createFunctionHost } from './function-host.ts'
import type { InvocationOutcome } from './worker.ts'

export interface WorkerPoolOptions {
  /** Returns the environment variables that Lambda sets, for each new environment. */
  readonly variables: () => Readonly<Record<string, string>>
  /** Measures timeouts. */
  readonly clock: Clock
  /** Receives log output of functions, in chunks. */
  readonly log: (functionName: string, text: string) => void
}

/** Runs bundles as Lambda does. Concurrent invocations get separate environments, which are reused. */
export type WorkerPool = ReturnType<typeof createWorkerPool>

/** Maximum bytes of JSON in a request and a result (Lambda quotas, "invocation payload"). */
const MAX_EVENT_BYTES = 6 * 2 ** 20
const MAX_RESULT_BYTES = MAX_EVENT_BYTES + 100
/** Milliseconds after which an unused environment ends and frees its memory. Lambda does not document its own limit. */
const MAX_IDLE_MS = 60_000
/** Maximum unused environments. A show with its publishes starts some 50, of about 40 MB, and uses few of them twice. */
const MAX_IDLE = 16

export function createWorkerPool({ variables, clock, log }: WorkerPoolOptions) {
  const idle = new Map<ExecutionEnvironment, { readonly spec: FunctionSpec; readonly timer: Timer }>() // oldest first
  const host = createFunctionHost()
  let isClosed = false

  const discard = (environment: ExecutionEnvironment) => {
    idle.get(environment)?.timer.cancel()
    idle.delete(environment)
    return environment.end()
  }
  const rest = (spec: FunctionSpec, environment: ExecutionEnvironment) => {
    if (isClosed) return
    idle.set(environment, { spec, timer: clock.at(clock.now() + MAX_IDLE_MS, () => void discard(environment)) })
    const [oldest] = idle.keys()
    if (idle.size > MAX_IDLE && oldest) void discard(oldest)
  }
  /** Takes the environment that was used last, so that those beyond the present need end. */
  const wake = (spec: FunctionSpec): ExecutionEnvironment | undefined => {
    // Each deployment has its own specs.
    const [environment, resting] = [...idle].findLast(([, resting]) => resting.spec === spec) ?? []
    resting?.timer.cancel()
    if (environment) idle.delete(environment)
    return environment
  }
  const start = (spec: FunctionSpec) => {
    return host.start({
      spec,
      variables: {
        ...variables(),
        AWS_LAMBDA_FUNCTION_NAME: spec.name,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memory),
        LAMBDA_TASK_ROOT: spec.folder,
        ...spec.environment,
      },
      log: (text) => log(spec.name, text),
    })
  }

  /** Runs a call in an environment; undefined if the environment had ended before. */
  const runIn = async (environment: ExecutionEnvironment, call: Call): Promise<InvocationOutcome | undefined> => {
    const { spec, event, context } = call
    const milliseconds = spec.timeout * 1000
    const { promise: timeout, resolve } = Promise.withResolvers<InvocationOutcome>()
    const timer = startTimeout(clock, milliseconds, () => resolve(timedOut(call)))
    const outcome = await Promise.race([
      environment.handle({ event, context, milliseconds, ahead: getAhead() }),
      timeout,
    ])
    timer.cancel()
    if (outcome && !('ended' in outcome)) rest(spec, environment)
    else await environment.end()
    return outcome
  }

  const run = async (call: Call): Promise<InvocationOutcome> => {
    for (let environment = wake(call.spec); environment; environment = wake(call.spec)) {
      const outcome = await runIn(environment, call)
      if (outcome) return outcome
    }
    return (await runIn(start(call.spec), call)) ?? exited(call, 'Runtime exited without providing a reason')
  }

  return {
    async invoke(spec: FunctionSpec, event: unknown, context: InvocationContext): Promise<unknown> {
      if (isClosed) throw new FunctionError('Lambda.ServiceException', 'The local Lambda is shutting down.')
      const call = { spec, event: toEvent(event), context }
      const outcome = limit(await run(call))
      if ('result' in outcome) return JSON.parse(outcome.result)
      if (outcome.ended) log(spec.name, `${outcome.error.message}\n`)
      throw new FunctionError(outcome.error.name, outcome.error.message)
    },
    /** Ends all environments with their work. Later invocations are refused. */
    async close(): Promise<void> {
      isClosed = true
      for (const { timer } of idle.values()) timer.cancel()
      await host.close()
    },
  }
}

interface Call {
  readonly spec: FunctionSpec
  /** JSON. */
  readonly event: string
  readonly context: InvocationContext
}

function toEvent(event: unknown): string {
  const text = JSON.stringify(event ?? null)
  if (Buffer.byteLength(text) <= MAX_EVENT_BYTES) return text
  const message = `Request must be smaller than ${MAX_EVENT_BYTES} bytes for the InvokeFunction operation`
  throw new FunctionError('Lambda.RequestTooLargeException', message)
}

function limit(outcome: InvocationOutcome): InvocationOutcome {
  if (!('result' in outcome) || Buffer.byteLength(outcome.result) <= MAX_RESULT_BYTES) return outcome
  const message = `Response payload size exceeded maximum allowed payload size (${MAX_RESULT_BYTES} bytes).`
  return { error: { name: 'Function.ResponseSizeTooLarge', message } }
}

const timedOut = ({ spec, context }: Call): InvocationOutcome => ({
  error: {
    name: 'Sandbox.Timedout',
    message: `RequestId: ${context.awsRequestId} Error: Task timed out after ${spec.timeout.toFixed(2)} seconds`,
  },
  ended: true,
})
