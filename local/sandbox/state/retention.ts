import { limits } from '../../../lib/platform/contract/limits.ts'
import type { SandboxParts } from '../parts.ts'

/**
 * Subscribes the removal of archive records a year after their creation, including records that exist already. One timer is
 * enough: records are in the order of their creation, so that the oldest is the next to be removed.
 */
export function subscribeRetention(parts: Pick<SandboxParts, 'store' | 'timers' | 'transitions'>): void {
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

/** Returns the same day and hour, `archiveRetention` months later. */
function endOf(createdAt: number): number {
  const end = new Date(createdAt)
  return end.setUTCMonth(end.getUTCMonth() + limits.archiveRetention.value)
}
