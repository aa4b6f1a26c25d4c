import type { Evidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

const HANDLING = /^HandleCallback$/
/** Seconds within which a callback that arrives twice may be handled twice: both are under way. */
const TOGETHER = 30
/** Seconds for which the bus may receive a publication late. */
const DELAY = 120

/**
 * Checks that each callback of the platform that was accepted is published, and not again once it was handled. A function that a
 * fault ends between the two publishes it again.
 */
export function platformCallbacks({
  postedCallbacks,
  platformEvents,
  failedCalls,
  messages,
}: Pick<Evidence, 'postedCallbacks' | 'platformEvents' | 'failedCalls' | 'messages'>): string[] {
  const published = Map.groupBy(platformEvents, ({ detail }) => (detail as { readonly id: string }).id)
  const handled = faultsOf(failedCalls, HANDLING)
  const again = [...published].filter(([, same]) => {
    const times = same.map(({ time }) => Date.parse(time))
    const [first, last] = [Math.min(...times), Math.max(...times)]
    return last - first > TOGETHER * 1000 && !handled.some(({ at }) => at >= first - DELAY * 1000 && at <= last)
  })
  const missing = postedCallbacks.size - published.size - messages.length
  const surplus = published.size - postedCallbacks.size
  return [
    ...(missing > 0 ? [`${missing} callbacks of the platform were accepted and not published`] : []),
    ...(surplus > 0 ? [`${surplus} more callbacks of the platform were published than were accepted`] : []),
    ...again.map(
      ([id]) => `the callback ${id.slice(0, 12)} of the platform was published again after it had been handled`,
    ),
  ]
}
