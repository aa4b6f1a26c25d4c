import type { Clock } from '../../../lib/clock.ts'
import type { DeadLetters } from '../queues/queues.ts'
import { keepAsyncFailures } from './async-failures.ts'
import { FunctionError, type FunctionSpec, type Invoke } from './function.ts'

export interface InvocationsOptions {
  readonly invoke: Invoke
  readonly clock: Clock
  readonly newId: () => string
  /** Queues for failed events. Without them, failures are only reported. */
  readonly queues?: Pick<DeadLetters, 'send'>
  /** Called with an event that a function failed to handle in all attempts. */
  readonly onLost?: (functionName: string, error: Error) => void
}

export interface DeployedFunctions {
  readonly functions: readonly FunctionSpec[]
  readonly functionVersions: readonly { readonly arn: string; readonly functionArn: string }[]
}

export type Invocations = ReturnType<typeof createInvocations>

const RETRY_AFTER_MS = [60_000, 120_000] as const
const MAX_AGE_S = 6 * 60 * 60

export function createInvocations({ invoke, clock, newId, queues, onLost }: InvocationsOptions) {
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
    const requestId = newId() // the id of all attempts
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
        await clock.sleep(next - clock.now(), closing.signal).catch(() => {}) // closed during the wait
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
    /** Replaces the functions. Published versions stay, and new ones are added. */
    deploy({ functions, functionVersions }: DeployedFunctions): void {
      for (const spec of functions) byArn.set(spec.arn, spec)
      for (const { arn, functionArn } of functionVersions) {
        const spec = byArn.get(functionArn)
        if (spec && !byArn.has(arn)) byArn.set(arn, spec)
      }
    },
    /** Invokes a function and returns its result. @throws FunctionError when it fails */
    invoke: (arn: string, event: unknown, requestId = newId()) => call(arn, event, requestId),
    /**
     * Queues an event and returns. As in Lambda, failures are retried after one and two more minutes, unless the
     * function’s configuration differs.
     */
    invokeLater(arn: string, event: unknown): void {
      if (closing.signal.aborted) return
      const delivery = deliver(arn, event).finally(() => taken.delete(delivery))
      taken.add(delivery)
    },
    /** Resolves when no event is being handled or waits for a retry. */
    async settled(): Promise<void> {
      while (taken.size > 0) await Promise.all(taken)
    },
    /** Drops pending retries, and accepts no more events. */
    close: () => closing.abort(new Error('The cloud is shutting down.')),
  }
}
