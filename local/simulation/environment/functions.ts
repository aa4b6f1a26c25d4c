import type { Clock } from '../../../lib/clock.ts'
import type { Services } from '../../../lib/services.ts'
import { FunctionError, type FunctionSpec, type Invoke } from '../../cloud/functions/function.ts'
import type { FaultKind } from '../faults/fault.ts'
import type { InjectedFaults } from '../faults/faults.ts'
import type { Random } from '../scheduling/random.ts'
import type { OrderScheduler } from '../scheduling/scheduler.ts'
import type { Trace } from '../trace.ts'
import { DEPLOYMENT } from './deployments.ts'
import type { MakeHandler } from './handlers.ts'

export interface FunctionsOptions {
  readonly handlers: ReadonlyMap<string, MakeHandler>
  /** Functions that do not run, with the reason. An invocation of one is traced and does nothing. */
  readonly leftOut: Readonly<Record<string, string>>
  /** Returns the services of an environment, whose calls the trace names after it. */
  readonly servicesFor: (spec: FunctionSpec, environment: EnvironmentHandle) => Services
  readonly clock: Clock
  readonly scheduler: OrderScheduler
  readonly faults: InjectedFaults
  readonly trace: Trace
  /** Share of events for which a function is invoked twice, as Lambda may do. @default none */
  readonly twice?: { readonly share: number; readonly random: Pick<Random, 'next'> } | undefined
}

/** Seconds after which a second invocation follows. */
const MAX_REPEAT_DELAY = 60

/** The view of an environment that its services have. */
export interface EnvironmentHandle {
  readonly name: string
  /** Aborts when the environment ends. */
  readonly gone: AbortSignal
  /** Ends the environment as if its process died. */
  kill(): void
  /** Returns the id of the show in the event that it handles. */
  show(): string | undefined
}

/** A warm environment of a function: it keeps its services and handles one event at a time. */
interface Environment {
  readonly name: string
  readonly handle: ReturnType<MakeHandler>
  readonly ending: AbortController
  /** Id of the show in the event that it handles. */
  show: string | undefined
  /** Called at the end of the environment, for the event that it handles. */
  onEnd?: (error: FunctionError) => void
}

/** Runs functions in this process as Lambda does: in environments that are reused, within their timeout. */
export function createFunctions(options: FunctionsOptions): Invoke {
  const { handlers, leftOut, servicesFor, clock, scheduler, faults, trace, twice } = options
  /** By function and deployment: another bundle needs another environment. */
  const idle = new Map<string, Environment[]>()
  const made = new Map<string, number>()
  const idleOf = (bundle: string): Environment[] => {
    const waiting = idle.get(bundle) ?? []
    idle.set(bundle, waiting)
    return waiting
  }

  const start = (spec: FunctionSpec, name: string): Environment => {
    const make = handlers.get(name)
    if (!make) throw new FunctionError('Runtime.ImportModuleError', `There is no handler for ${spec.logicalId}.`)
    const number = (made.get(name) ?? 0) + 1
    made.set(name, number)
    const ending = new AbortController()
    const life: EnvironmentHandle = {
      name: number === 1 ? name : `${name}/${number}`,
      gone: ending.signal,
      kill: () => end(environment, crash()),
      show: () => environment.show,
    }
    const environment: Environment = {
      name: life.name,
      handle: make(servicesFor(spec, life)),
      ending,
      show: undefined,
    }
    return environment
  }

  /** Ends an environment. None of its pending calls happens. */
  const end = (environment: Environment, error: FunctionError) => {
    environment.ending.abort()
    for (const waiting of idle.values()) {
      const at = waiting.indexOf(environment) // it may be idle
      if (at >= 0) waiting.splice(at, 1)
    }
    environment.onEnd?.(error)
  }

  /** Runs the handler. Rejects when the environment ends, by its timeout or otherwise. */
  const run = async (environment: Environment, spec: FunctionSpec, event: unknown, context: object) => {
    const { promise: ended, reject } = Promise.withResolvers<never>()
    environment.onEnd = reject
    const timer = clock.at(clock.now() + spec.timeout * 1000, () => end(environment, timeout(spec)))
    try {
      return await Promise.race([environment.handle(throughJson(event), context), ended])
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      throw new FunctionError(name, message)
    } finally {
      timer.cancel()
    }
  }

  /** Runs an invocation under a fault, with or without its work. */
  const runUnder = async (
    kind: FaultKind,
    spec: FunctionSpec,
    event: unknown,
    work: () => Promise<unknown>,
  ): Promise<unknown> => {
    const operation = `lambda ${nameOf(spec)}`
    faults.recordCall({ caller: 'cloud', operation, kind, show: showIn(event) }, `cloud -> ${operation} ${kind}`)
    if (kind === 'throttled') throw new FunctionError('Lambda.TooManyRequestsException', 'Rate Exceeded.')
    const until = clock.now() + spec.timeout * 1000
    if (!kind.endsWith('before')) await work().catch(() => {}) // its outcome is lost
    if (kind.startsWith('crashed')) throw crash()
    if (kind === 'out of memory') throw outOfMemory()
    await clock.sleep(until - clock.now())
    throw timeout(spec)
  }

  const work = async (spec: FunctionSpec, name: string, event: unknown, context: object) => {
    const waiting = idleOf(`${name} ${spec.environment[DEPLOYMENT] ?? ''}`)
    const environment = waiting.pop() ?? start(spec, name)
    environment.show = showIn(event)
    const details = { show: environment.show }
    trace.note(`cloud -> ${environment.name} invoked`, details)
    try {
      // Without getRemainingTimeInMillis: middy would set a timer of this machine.
      const result = await run(environment, spec, event, context)
      trace.note(`${environment.name} -> cloud done`, details)
      return throughJson(result)
    } catch (error) {
      trace.note(`${environment.name} -> cloud ${(error as Error).name}`, details)
      throw error
    } finally {
      if (!environment.ending.signal.aborted) waiting.push(environment)
    }
  }

  return async (spec, event, context) => {
    const name = nameOf(spec)
    const reason = leftOut[name]
    if (reason !== undefined) return scheduler.pass(async () => trace.note(`cloud -> ${name} left out: ${reason}`))
    const fault = await scheduler.pass(async () =>
      faults.decide({ caller: 'cloud', target: 'function', operation: `lambda ${name}` }),
    )
    const workOnce = () => work(spec, name, event, context)
    if (twice && isEvent(name, event) && twice.random.next() < twice.share) {
      faults.record('invoked twice', `${name} is invoked twice for one event`)
      const delay = twice.random.next() * MAX_REPEAT_DELAY * 1000
      clock.at(clock.now() + Math.ceil(delay), () => void workOnce().catch(() => {}))
    }
    return fault ? runUnder(fault.kind, spec, event, workOnce) : workOnce()
  }
}

/** Returns true for an event of a schedule or a bus. Machines and API Gateway invoke a function once for each attempt. */
const isEvent = (name: string, event: unknown) =>
  name !== 'Api' && (event as { execution?: unknown } | null)?.execution === undefined

const crash = () => new FunctionError('Runtime.ExitError', 'Error: Runtime exited with error: signal: killed')
const outOfMemory = () => new FunctionError('Runtime.OutOfMemory', 'Error: Runtime exited with error: signal: killed')
const timeout = ({ timeout: seconds }: FunctionSpec) =>
  new FunctionError('Sandbox.Timedout', `Task timed out after ${seconds.toFixed(2)} seconds`)

/** CDK's logical ids end in eight digits of a hash. */
const nameOf = ({ logicalId }: FunctionSpec) => logicalId.replace(/[0-9A-F]{8}$/, '')

/** Returns the id of the show in an event: the input of a machine or a schedule, a request of the API, or an event of a bus. */
function showIn(input: unknown): string | undefined {
  const { showId, request, pathParameters, detail, event, scheduleId } = (input ?? {}) as Readonly<
    Record<string, Holder | undefined>
  >
  const id = showId ?? request?.showId ?? pathParameters?.id ?? detail?.showId ?? event?.showId ?? scheduleId
  return typeof id === 'string' ? id : undefined
}

type Holder = string & { readonly showId?: unknown; readonly id?: unknown }

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
