import type { StatusChange } from '../../sandbox/callbacks/status-changes.ts'
import type { Trace } from '../trace.ts'

/** A change of a resource’s status, with its time in milliseconds since the epoch. */
export interface TimedStatusChange extends StatusChange {
  readonly at: number
}

/** Follows the platform’s resources by its own records, without calls that could change them. */
export type ResourcesWatch = ReturnType<typeof watchResources>

export interface ResourcesOptions {
  readonly now: () => number
  readonly trace: Trace
  /** Called while polling, when nothing else happens. */
  readonly onChange: (change: TimedStatusChange) => void
}

export function watchResources({ now, trace, onChange }: ResourcesOptions) {
  /** Every status of every resource, in order. */
  const changes: TimedStatusChange[] = []
  let polled = 0
  return {
    changes,
    /** Removes the changes that were traced, and returns them. */
    take(): TimedStatusChange[] {
      const taken = changes.splice(0, polled)
      polled = 0
      return taken
    },
    record: (change: StatusChange) => void changes.push({ ...change, at: now() }),
    /** Traces changes since the last poll. Returns true if there were any. */
    poll(): boolean {
      const isNew = polled < changes.length
      while (polled < changes.length) {
        const change = changes[polled++] as TimedStatusChange
        const { kind, id, status, tag, name } = change
        trace.note(`${kind} ${tag ?? name ?? id} ${status}`)
        onChange(change)
      }
      return isNew
    },
  }
}
