import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Store } from './store.ts'
import type { Timers } from './timers.ts'
import type { AllTransitions } from './transitions.ts'

/**
 * Forgets archives a year after they were made, beginning with those that are there. One timer is enough: archives are
 * kept in the order of their creation, so that the oldest is the next to go.
 */
export function subscribeRetention(parts: { store: Store; timers: Timers; transitions: AllTransitions }): void {
  const { store, timers, transitions } = parts
  let isWatching = false

  function watch(): void {
    const oldest = store.archives.oldest()
    isWatching = oldest !== undefined
    if (!oldest) return
    timers.set('archives', 'retention', endOf(oldest.createdAt), () => {
      store.archives.remove(oldest.id)
      watch()
    })
  }

  watch()
  transitions.archives.listen(() => {
    if (!isWatching) watch()
  })
}

/** The same day and hour so many months later. */
function endOf(createdAt: number): number {
  const end = new Date(createdAt)
  return end.setUTCMonth(end.getUTCMonth() + limits.archiveRetention.value)
}
