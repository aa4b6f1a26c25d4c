import type { Clock } from '../../../clock.ts'

/** The abort reason of a deadline that has passed. The caller's signal has another reason. */
export class DeadlinePassed extends Error {}

/** The limit of one attempt: the elapsed time or the caller's signal. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Settles like the work, or rejects with the signal's reason. It also limits work that ignores the signal. */
  race<T>(work: Promise<T>): Promise<T>
  close(): void
  /** Closes the deadline and aborts work that still runs. */
  abandon(): void
}

/** A constant abort reason. The default reason is an error with a stack, which takes time to create. */
const ABANDONED = 'The attempt is over.'

/** Starts the deadline of one attempt, `ms` milliseconds from now. */
export function startDeadline(clock: Clock, ms: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const timer = clock.at(clock.now() + ms, () =>
    controller.abort(new DeadlinePassed(`The attempt took longer than ${ms} ms.`)),
  )
  const follow = () => controller.abort(caller?.reason)
  if (caller?.aborted) follow()
  caller?.addEventListener('abort', follow, { once: true })

  const passed = Promise.withResolvers<never>()
  passed.promise.catch(() => undefined) // avoids an unhandled rejection without a race
  if (signal.aborted) passed.reject(signal.reason)
  signal.addEventListener('abort', () => passed.reject(signal.reason), { once: true })

  const close = () => {
    timer.cancel()
    caller?.removeEventListener('abort', follow)
  }
  return {
    signal,
    race: (work) => Promise.race([work, passed.promise]),
    close,
    abandon() {
      close()
      controller.abort(ABANDONED)
    },
  }
}
