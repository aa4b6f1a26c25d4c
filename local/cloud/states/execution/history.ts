import { StatesError } from '../definition/errors.ts'
import { HISTORY_EVENTS } from '../definition/limits.ts'

/** An event of GetExecutionHistory. Its details are in a field named after its type. */
export interface HistoryEvent {
  readonly id: number
  readonly previousEventId: number
  readonly timestamp: Date
  readonly type: string
  readonly [details: `${string}EventDetails`]: Readonly<Record<string, unknown>>
}

export type EventDetails = Pick<HistoryEvent, `${string}EventDetails`>

export type ExecutionHistory = ReturnType<typeof createExecutionHistory>

/** @param onEvent called after each event */
export function createExecutionHistory(now: () => number, onEvent: () => void = () => {}) {
  const events: HistoryEvent[] = []
  let count = 0
  const write = (type: string, previousEventId: number, details: EventDetails | undefined) => {
    const id = ++count
    events.push({ id, previousEventId, timestamp: new Date(now()), type, ...details })
    onEvent()
    return id
  }
  return {
    events,
    /** Number of events, with those that were taken. */
    get count() {
      return count
    },
    /** Removes the events so far, and returns them. */
    take: () => events.splice(0),
    /**
     * Writes an event and returns its id.
     * @throws StatesError `States.Runtime` when only the execution’s last event fits
     */
    append(type: string, previousEventId: number, details?: EventDetails): number {
      if (count >= HISTORY_EVENTS - 1)
        throw new StatesError(
          'States.Runtime',
          `The execution reached the maximum number of history events (${HISTORY_EVENTS}).`,
        )
      return write(type, previousEventId, details)
    },
    /** Writes the event that ends an execution, which always fits. */
    end: write,
  }
}

/** AWS marks truncated payloads in a history. Here none is. */
export const WHOLE = { truncated: false } as const
