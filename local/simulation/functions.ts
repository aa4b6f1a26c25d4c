import type { Clock } from '../../lib/clock.ts'
import type { Services } from '../../lib/services/services.ts'
import { FunctionError, type FunctionSpec, type Invoke } from '../cloud/functions/function.ts'
import type { MakeHandler } from './handlers.ts'
import type { Scheduler } from './scheduler.ts'
import type { Trace } from './trace.ts'

export interface FunctionsOptions {
  readonly handlers: ReadonlyMap<string, MakeHandler>
  /** Functions that are not run, with the reason: an invocation of one is noted and does nothing. */
  readonly leftOut: Readonly<Record<string, string>>
  /** What an environment reaches, under the name that the trace calls it by; `gone` aborts when it is ended. */
  readonly servicesFor: (spec: FunctionSpec, environment: string, gone: AbortSignal) => Services
  readonly clock: Clock
  readonly scheduler: Scheduler
  readonly trace: Trace
}

/** One of a function's warm environments: it keeps its services, handles one event at a time, and waits for the next. */
interface Environment {
  readonly name: string
  readonly handle: ReturnType<MakeHandler>
  readonly ending: AbortController
}

/** Runs functions in this process as Lambda does: in environments that are kept, for no longer than their timeout. */
export function createFunctions({ handlers, leftOut, servicesFor, clock, scheduler, trace }: FunctionsOptions): Invoke {
  const idle = new Map<string, Environment[]>()
  const made = new Map<string, number>()

  const start = (spec: FunctionSpec, name: string): Environment => {
    const make = handlers.get(name)
    if (!make) throw new FunctionError('Runtime.ImportModuleError', `There is no handler for ${spec.logicalId}.`)
    const number = (made.get(name) ?? 0) + 1
    made.set(name, number)
    const ending = new AbortController()
    const environment = number === 1 ? name : `${name}/${number}`
    return { name: environment, handle: make(servicesFor(spec, environment, ending.signal)), ending }
  }

  /** Rejects when the time is up; nothing that the handler still wants happens then. */
  const run = async ({ handle, ending }: Environment, spec: FunctionSpec, event: unknown, context: object) => {
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const timer = clock.at(clock.now() + spec.timeout * 1000, () => {
      ending.abort()
      reject(new FunctionError('Sandbox.Timedout', `Task timed out after ${spec.timeout.toFixed(2)} seconds`))
    })
    try {
      return await Promise.race([handle(throughJson(event), context), timeout])
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      throw new FunctionError(name, message)
    } finally {
      timer.cancel()
    }
  }

  return async (spec, event, context) => {
    const name = nameOf(spec)
    const reason = leftOut[name]
    if (reason !== undefined) return scheduler.pass(async () => trace.note(`cloud -> ${name} left out: ${reason}`))
    const environment = await scheduler.pass(async () => idle.get(name)?.pop() ?? start(spec, name))
    trace.note(`cloud -> ${environment.name} invoked`)
    try {
      // Without getRemainingTimeInMillis, by which middy would set a timer of this machine.
      const result = await run(environment, spec, event, context)
      trace.note(`${environment.name} -> cloud done`)
      return throughJson(result)
    } catch (error) {
      trace.note(`${environment.name} -> cloud ${(error as Error).name}`)
      throw error
    } finally {
      if (!environment.ending.signal.aborted) idle.set(name, [...(idle.get(name) ?? []), environment])
    }
  }
}

/** CDK's logical ids end in eight digits of a hash. */
const nameOf = ({ logicalId }: FunctionSpec) => logicalId.replace(/[0-9A-F]{8}$/, '')

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
