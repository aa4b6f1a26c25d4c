import type { Clock } from '../../../lib/clock.ts'
import { FunctionError, type FunctionSpec, type Invoke } from './function.ts'

export interface InvocationsOptions {
  readonly functions: readonly FunctionSpec[]
  readonly invoke: Invoke
  readonly clock: Clock
  readonly newId: () => string
  readonly onLost?: (functionName: string, error: Error) => void
}

/** The two ways in which Lambda is called. */
export interface Invocations {
  /** Waits for the result. */
  invoke(arn: string, event: unknown): Promise<unknown>
  /** Takes the event and goes on; a failure is tried again after one and after two more minutes, as Lambda does. */
  invokeLater(arn: string, event: unknown): void
  /** Resolves once no event that was taken is being handled or waits to be tried again. */
  settled(): Promise<void>
  /** Gives up what waits to be tried again. */
  close(): void
}

const RETRY_AFTER_MS = [60_000, 120_000] as const

export function createInvocations({ functions, invoke, clock, newId, onLost }: InvocationsOptions): Invocations {
  const byArn = new Map(functions.map((spec) => [spec.arn, spec]))
  const taken = new Set<Promise<void>>()
  const closing = new AbortController()

  const call: Invocations['invoke'] = async (arn, event) => {
    const [, unqualified = arn, version = '$LATEST'] = /^(.+:function:[^:]+):([^:]+)$/.exec(arn) ?? []
    const spec = byArn.get(unqualified)
    if (!spec) throw new FunctionError('Lambda.ResourceNotFoundException', `Function not found: ${arn}`)
    return invoke(spec, event, {
      awsRequestId: newId(),
      functionName: spec.name,
      functionVersion: version,
      invokedFunctionArn: arn,
      memoryLimitInMB: String(spec.memory),
    })
  }

  const deliver = async (arn: string, event: unknown) => {
    for (const delay of [...RETRY_AFTER_MS, undefined]) {
      try {
        await call(arn, event)
        return
      } catch (error) {
        if (delay === undefined) return onLost?.(byArn.get(arn)?.name ?? arn, error as Error)
        await clock.sleep(delay, closing.signal)
      }
    }
  }

  return {
    invoke: call,
    invokeLater(arn, event) {
      const delivery = deliver(arn, event)
        .catch(() => {}) // closed while it waited
        .finally(() => taken.delete(delivery))
      taken.add(delivery)
    },
    async settled() {
      while (taken.size > 0) await Promise.all(taken)
    },
    close: () => closing.abort(new Error('The cloud is shutting down.')),
  }
}
