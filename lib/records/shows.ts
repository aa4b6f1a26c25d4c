import type { Events } from '../aws/bus.ts'
import type { Clock } from '../clock.ts'
import { eventOfEntry } from '../events/owner-event-contents.ts'
import { isOwnerEventKind } from '../events/owner-events.ts'
import type { ShowRequest } from '../show/state/request.ts'
import type { ShowState } from '../show/state/state.ts'
import { identityOf, type TimelineEvent, withTimeline } from '../show/state/timeline-events.ts'
import { TaskInputError } from '../tasks/errors.ts'
import type { Records } from './records.ts'

export type Shows = ReturnType<typeof createShows>

/** Dependencies of {@link createShows}. */
export interface ShowsOptions {
  readonly records: Records
  /** Is called for the first owner event, because not every task may publish. */
  readonly events: () => Events
  readonly clock: Clock
}

export function createShows({ records, events, clock }: ShowsOptions) {
  const requests = new Map<string, ShowRequest>()

  /** Returns the request, cached once the show can no longer be edited. @throws {@link TaskInputError} without such a show */
  async function request(showId: string): Promise<ShowRequest> {
    const kept = requests.get(showId)
    if (kept) return kept
    const current = await records.readCurrentRequest(showId)
    if (!current) throw new TaskInputError(`There is no show ${showId}: post it to /shows first.`)
    if (current.isFinal) requests.set(showId, current.request)
    return current.request
  }

  /**
   * Changes the state and adds events to its timeline, unless they are there already. Owner events are published before the
   * state is written: an interrupted call repeats both, and the event's id identifies the duplicate.
   */
  function update(showId: string, change: (state: ShowState) => ShowState, ...newEvents: TimelineEvent[]) {
    const published = new Set<string>()
    return records.updateState(
      showId,
      (latest) => {
        const next = change(latest)
        return { ...next, timeline: withTimeline(next.timeline, clock.now(), ...newEvents) }
      },
      async (next, latest) => {
        const known = new Set(latest.timeline.map(identityOf))
        for (const entry of next.timeline) {
          const identity = identityOf(entry)
          if (known.has(identity) || published.has(identity) || !isOwnerEventKind(entry.what)) continue
          const { show } = await request(showId)
          await events().publish({ ...eventOfEntry(entry, next, show), callback: show.callback !== undefined })
          published.add(identity)
        }
      },
    )
  }

  return {
    request,
    /** @throws {@link TaskInputError} when there is no such show */
    async state(showId: string) {
      const state = await records.readState(showId)
      if (!state) throw new TaskInputError(`The show ${showId} has no state: post it to /shows first.`)
      return state
    },
    update,
    note: (showId: string, ...newEvents: TimelineEvent[]) => update(showId, (state) => state, ...newEvents),
  }
}
