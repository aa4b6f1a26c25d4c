import type { Clock } from '../../../lib/clock.ts'
import { FunctionError, type FunctionSpec, type Invoke } from './function.ts'

export interface InvocationsOptions {
  readonly functions: readonly FunctionSpec[]
  readonly invoke: Invoke
  readonly clock: Clock
  readonly newId: () => string
  /** Told of an event that a function has failed to handle three times. */
  readonly onLost?: (functionName: string, error: Error) => void
}

/** The two ways in which Lambda is called. */
export interface Invocations {
  /** Waits for the result. @throws FunctionError */
  invoke(arn: string, event: unknown): Promise<unknown>
  /** Takes the event and goes on; a failure is tried again after one and after two more minutes, as Lambda does. */
  invokeLater(arn: string, event: unknown): void
  /** Resolves once no event that was taken is being handled or waits to be tried again. */
  settled(): Promise<void>
  /** Gives up what waits to be tried again, and takes nothing any more. */
  close(): void
}

const RETRY_AFTER_MS = [60_000, 120_000] as const

export function createInvocations({ functions, invoke, clock, newId, onLost }: InvocationsOptions): Invocations {
  const byArn = new Map(functions.map((spec) => [spec.arn, spec]))
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
    const [, unqualified = arn, version = '$LATEST'] = /^(.+:function:[^:]+):([^:]+)$/.exec(arn) ?? []
    return { spec: byArn.get(unqualified), version }
  }

  const deliver = async (arn: string, event: unknown) => {
    const id = newId() // of all attempts
    for (const delay of [...RETRY_AFTER_MS, undefined]) {
      const error = await call(arn, event, id).then(
        () => undefined,
        (reason: Error) => reason,
      )
      if (!error || closing.signal.aborted) return
      if (delay === undefined) onLost?.(find(arn).spec?.name ?? arn, error)
      else await clock.sleep(delay, closing.signal).catch(() => {}) // closed while it waited
      if (closing.signal.aborted) return
    }
  }

  return {
    invoke: (arn, event) => call(arn, event, newId()),
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
