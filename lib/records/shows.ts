import type { Events } from '../aws/bus.ts'
import type { Clock } from '../clock.ts'
import { eventOfEntry } from '../events/owner-event-contents.ts'
import { isOwnerEventKind } from '../events/owner-events.ts'
import type { ShowRequest } from '../show/state/request.ts'
import type { ShowState } from '../show/state/state.ts'
import { identityOf, type TimelineEvent, withTimeline } from '../show/state/timeline-events.ts'
import { TaskInputError } from '../tasks/errors.ts'
import type { Records } from './records.ts'

export interface Shows {
  /** Returns the request, cached because it never changes. @throws {@link TaskInputError} without such a show */
  request(showId: string): Promise<ShowRequest>
  /** @throws {@link TaskInputError} when there is no such show */
  state(showId: string): Promise<ShowState>
  /**
   * Changes the state and adds events to its timeline, unless they are there already. Owner events are published before the
   * state is written: an interrupted call repeats both, and the event's id identifies the duplicate.
   */
  update(showId: string, change: (state: ShowState) => ShowState, ...newEvents: TimelineEvent[]): Promise<ShowState>
  note(showId: string, ...newEvents: TimelineEvent[]): Promise<ShowState>
}

/** Dependencies of {@link createShows}. */
export interface ShowsOptions {
  readonly records: Records
  /** Is called for the first owner event, because not every task may publish. */
  readonly events: () => Events
  readonly clock: Clock
}

export function createShows({ records, events, clock }: ShowsOptions): Shows {
  const requests = new Map<string, ShowRequest>()

  const request: Shows['request'] = async (showId) => {
    const kept = requests.get(showId) ?? (await records.readRequest(showId))
    if (!kept) throw new TaskInputError(`There is no show ${showId}: post it to /shows first.`)
    requests.set(showId, kept)
    return kept
  }

  const update: Shows['update'] = async (showId, change, ...newEvents) => {
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
    async state(showId) {
      const state = await records.readState(showId)
      if (!state) throw new TaskInputError(`The show ${showId} has no state: post it to /shows first.`)
      return state
    },
    update,
    note: (showId, ...newEvents) => update(showId, (state) => state, ...newEvents),
  }
}
