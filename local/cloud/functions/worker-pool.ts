import type { Clock, Timer } from '../../../lib/clock.ts'
import { type ExecutionEnvironment, exited, startExecutionEnvironment } from './execution-environment.ts'
import { FunctionError, type FunctionSpec, type InvocationContext } from './function.ts'
import type { Outcome } from './worker.ts'

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

export function createWorkerPool({ variables, clock, log }: WorkerPoolOptions) {
  const idle = new Map<FunctionSpec, Map<ExecutionEnvironment, Timer>>() // each deployment has its own specs
  const all = new Set<ExecutionEnvironment>()
  let isClosed = false

  const idleOf = (spec: FunctionSpec) => {
    const environments = idle.get(spec) ?? new Map<ExecutionEnvironment, Timer>()
    idle.set(spec, environments)
    return environments
  }
  const rest = (spec: FunctionSpec, environment: ExecutionEnvironment) => {
    if (isClosed) return
    const end = () => {
      idleOf(spec).delete(environment)
      void environment.end()
    }
    idleOf(spec).set(environment, clock.at(clock.now() + MAX_IDLE_MS, end))
  }
  /** Takes the environment that was used last, so that those beyond the present need end. */
  const wake = (spec: FunctionSpec): ExecutionEnvironment | undefined => {
    const [environment, timer] = [...idleOf(spec)].at(-1) ?? []
    timer?.cancel()
    if (environment) idleOf(spec).delete(environment)
    return environment
  }
  const start = (spec: FunctionSpec) => {
    const environment = startExecutionEnvironment({
      spec,
      variables: {
        ...variables(),
        AWS_LAMBDA_FUNCTION_NAME: spec.name,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memory),
        LAMBDA_TASK_ROOT: spec.folder,
        ...spec.environment,
      },
      log: (text) => log(spec.name, text),
      onEnd: () => all.delete(environment),
    })
    all.add(environment)
    return environment
  }

  /** Runs a call in an environment; undefined if the environment had ended before. */
  const runIn = async (environment: ExecutionEnvironment, call: Call): Promise<Outcome | undefined> => {
    const { spec, event, context } = call
    const milliseconds = spec.timeout * 1000
    const { promise: timeout, resolve } = Promise.withResolvers<Outcome>()
    const timer = clock.at(clock.now() + milliseconds, () => resolve(timedOut(call)))
    const outcome = await Promise.race([environment.handle({ event, context, milliseconds }), timeout])
    timer.cancel()
    if (outcome && !('ended' in outcome)) rest(spec, environment)
    else await environment.end()
    return outcome
  }

  const run = async (call: Call): Promise<Outcome> => {
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
      for (const environments of idle.values()) for (const timer of environments.values()) timer.cancel()
      await Promise.all([...all].map((environment) => environment.end()))
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

function limit(outcome: Outcome): Outcome {
  if (!('result' in outcome) || Buffer.byteLength(outcome.result) <= MAX_RESULT_BYTES) return outcome
  const message = `Response payload size exceeded maximum allowed payload size (${MAX_RESULT_BYTES} bytes).`
  return { error: { name: 'Function.ResponseSizeTooLarge', message } }
}

const timedOut = ({ spec, context }: Call): Outcome => ({
  error: {
    name: 'Sandbox.Timedout',
    message: `RequestId: ${context.awsRequestId} Error: Task timed out after ${spec.timeout.toFixed(2)} seconds`,
  },
  ended: true,
})
