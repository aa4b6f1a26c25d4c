import type { Clock, Timer } from '../../../lib/clock.ts'

/** Timers by owner and purpose, so that a resource that stops cancels its own. Setting a timer again replaces it. */
export type Timers = ReturnType<typeof createTimers>

export function createTimers(clock: Clock) {
  const owners = new Map<string, Map<string, Timer>>()
  const timers = {
    set(owner: string, purpose: string, time: number, act: () => void): void {
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
    cancel(owner: string, purpose: string): void {
      const own = owners.get(owner)
      own?.get(purpose)?.cancel()
      own?.delete(purpose)
    },
    cancelAll(owner: string): void {
      for (const timer of owners.get(owner)?.values() ?? []) timer.cancel()
      owners.delete(owner)
    },
    close(): void {
      for (const owner of owners.keys()) timers.cancelAll(owner)
    },
  }
  return timers
}
