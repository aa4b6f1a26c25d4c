import type { Clock } from '../../../clock.ts'

/** What a deadline's signal aborts with when its time is up, as opposed to the caller's own reason. */
export class DeadlinePassed extends Error {}

/** The end of one attempt: after `ms`, or when the caller aborts, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Ends with the work, or rejects with the signal's reason even when the work heeds no signal. */
  race<T>(work: Promise<T>): Promise<T>
  /** Forgets timer and listener. */
  close(): void
  /** Ends what still runs, too. */
  abandon(): void
}

/** Without a reason of its own every abort would make an error with a stack. */
const OVER = 'The attempt is over.'

export function startDeadline(clock: Clock, ms: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  const timer = clock.at(clock.now() + ms, () => controller.abort(new DeadlinePassed(`No end within ${ms} ms`)))
  const follow = () => controller.abort(caller?.reason)
  if (caller?.aborted) follow()
  caller?.addEventListener('abort', follow, { once: true })

  const passed = Promise.withResolvers<never>()
  passed.promise.catch(() => undefined) // nobody may be racing when it passes
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
      controller.abort(OVER)
    },
  }
}
