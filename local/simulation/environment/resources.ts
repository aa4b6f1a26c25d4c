import type { StatusChange } from '../../sandbox/callbacks/status-changes.ts'
import type { Trace } from '../trace.ts'

/** A status that a resource came into, and when, in milliseconds since the epoch. */
export interface Seen extends StatusChange {
  readonly at: number
}

/** Follows the platform's resources as its own records tell of them, with no call that could change what is seen. */
export interface ResourcesWatch {
  /** Hears of a change as soon as it is recorded. */
  see(change: StatusChange): void
  /** Notes in the trace what was heard since the last look, if anything was. */
  look(): boolean
  /** Every status of every resource, in the order in which they came. */
  readonly seen: readonly Seen[]
}

export interface ResourcesOptions {
  readonly now: () => number
  readonly trace: Trace
  /** Told at a look, when nothing else happens. */
  readonly onChange: (change: Seen) => void
}

export function watchResources({ now, trace, onChange }: ResourcesOptions): ResourcesWatch {
  const seen: Seen[] = []
  let noted = 0
  return {
    seen,
    see: (change) => void seen.push({ ...change, at: now() }),
    look() {
      const isNew = noted < seen.length
      while (noted < seen.length) {
        const change = seen[noted++] as Seen
        const { kind, id, status, tag, name } = change
        trace.note(`${kind} ${tag ?? name ?? id} ${status}`)
        onChange(change)
      }
      return isNew
    },
  }
}
