import type { Clock, Timer } from '../../../lib/clock.ts'

/** Timers by owner and purpose, so that a resource that stops cancels its own. Setting a timer again replaces it. */
export interface Timers {
  set(owner: string, purpose: string, time: number, act: () => void): void
  cancel(owner: string, purpose: string): void
  cancelAll(owner: string): void
  close(): void
}

export function createTimers(clock: Clock): Timers {
  const owners = new Map<string, Map<string, Timer>>()
  const timers: Timers = {
    set(owner, purpose, time, act) {
      timers.cancel(owner, purpose)
      const own = owners.get(owner) ?? new Map<string, Timer>()
      owners.set(owner, own)
      own.set(
        purpose,
        clock.at(time, () => {
          own.delete(purpose)
          act()
        }),
      )
    },
    cancel(owner, purpose) {
      const own = owners.get(owner)
      own?.get(purpose)?.cancel()
      own?.delete(purpose)
    },
    cancelAll(owner) {
      for (const timer of owners.get(owner)?.values() ?? []) timer.cancel()
      owners.delete(owner)
    },
    close() {
      for (const owner of owners.keys()) timers.cancelAll(owner)
    },
  }
  return timers
}
