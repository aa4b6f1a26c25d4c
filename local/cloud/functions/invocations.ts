import type { Clock } from '../../../lib/clock.ts'
import type { DeadLetters } from '../queues/queues.ts'
import { keepAsyncFailures } from './async-failures.ts'
import { FunctionError, type FunctionSpec, type Invoke } from './function.ts'

export interface InvocationsOptions {
  readonly invoke: Invoke
  readonly clock: Clock
  readonly newId: () => string
  /** Where events are put that were given up; without it they are only told of. */
  readonly queues?: Pick<DeadLetters, 'send'>
  /** Told of an event that a function has failed to handle as often as it was let. */
  readonly onLost?: (functionName: string, error: Error) => void
}

/** What a deployment brings. */
export interface DeployedFunctions {
  readonly functions: readonly FunctionSpec[]
  readonly functionVersions: readonly { readonly arn: string; readonly functionArn: string }[]
}

/** The two ways in which Lambda is called. */
export interface Invocations {
  /** Functions become these; versions that are there stay as they are, and new ones are published of them. */
  deploy(deployed: DeployedFunctions): void
  /** Waits for the result. @throws FunctionError */
  invoke(arn: string, event: unknown, requestId?: string): Promise<unknown>
  /**
   * Takes the event and goes on; a failure is tried again after one and after two more minutes, as Lambda does, unless the
   * function's configuration says otherwise.
   */
  invokeLater(arn: string, event: unknown): void
  /** Resolves once no event that was taken is being handled or waits to be tried again. */
  settled(): Promise<void>
  /** Gives up what waits to be tried again, and takes nothing any more. */
  close(): void
}

const RETRY_AFTER_MS = [60_000, 120_000] as const
const MAX_AGE_S = 6 * 60 * 60

export function createInvocations(options: InvocationsOptions): Invocations {
  const { invoke, clock, newId, queues, onLost } = options
  const byArn = new Map<string, FunctionSpec>()
  const taken = new Set<Promise<void>>()
  const closing = new AbortController()

  const call = async (arn: string, event: unknown, awsRequestId: string): Promise<unknown> => {
    const { spec, version } = find(arn)
    if (!spec) throw new FunctionError('Lambda.ResourceNotFoundException', `Function not found: ${arn}`)
    return invoke(spec, event, {
      awsRequestId,
      functionName: spec.name,
      functionVersion: version,
      invokedFunctionArn: arn,
      memoryLimitInMB: String(spec.memory),
    })
  }
  const find = (arn: string) => {
    const version = /:function:[^:]+:([^:]+)$/.exec(arn)?.[1] ?? '$LATEST'
    return { spec: byArn.get(arn.replace(/:\$LATEST$/, '')), version }
  }

  const deliver = async (arn: string, event: unknown) => {
    const requestId = newId() // of all attempts
    const { spec, version } = find(arn)
    const { retries = RETRY_AFTER_MS.length, maximumAge = MAX_AGE_S } = spec?.later?.[version] ?? {}
    const tooOld = clock.now() + maximumAge * 1000
    for (let attempts = 1; ; attempts++) {
      const error = await call(arn, event, requestId).then(
        () => undefined,
        (reason: Error) => reason,
      )
      if (!error || closing.signal.aborted) return
      const delay = attempts > retries ? undefined : (RETRY_AFTER_MS[attempts - 1] ?? 0)
      if (delay !== undefined) {
        const next = Math.min(clock.now() + delay, tooOld)
        await clock.sleep(next - clock.now(), closing.signal).catch(() => {}) // closed while it waited
        if (closing.signal.aborted) return
        if (clock.now() < tooOld) continue
      }
      const condition = delay === undefined ? 'RetriesExhausted' : 'EventAgeExceeded'
      const time = clock.now()
      if (spec && queues)
        keepAsyncFailures(queues, { spec, version, event, requestId, attempts, condition, error, time })
      return onLost?.(spec?.name ?? arn, error)
    }
  }

  return {
    deploy({ functions, functionVersions }) {
      for (const spec of functions) byArn.set(spec.arn, spec)
      for (const { arn, functionArn } of functionVersions) {
        const spec = byArn.get(functionArn)
        if (spec && !byArn.has(arn)) byArn.set(arn, spec)
      }
    },
    invoke: (arn, event, requestId = newId()) => call(arn, event, requestId),
    invokeLater(arn, event) {
      if (closing.signal.aborted) return
      const delivery = deliver(arn, event).finally(() => taken.delete(delivery))
      taken.add(delivery)
    },
    async settled() {
      while (taken.size > 0) await Promise.all(taken)
    },
    close: () => closing.abort(new Error('The cloud is shutting down.')),
  }
}
