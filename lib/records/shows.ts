import type { Events } from '../aws/owner-event-bus.ts'
import type { Clock } from '../clock.ts'
import { eventOfEntry } from '../events/owner-event-contents.ts'
import { isOwnerEventKind } from '../events/owner-events.ts'
import type { ShowRequest } from '../show/state/request.ts'
import type { ShowState } from '../show/state/state.ts'
import { identityOf, type TimelineEvent, withTimeline } from '../show/state/timeline-events.ts'
import { TaskInputError } from '../tasks/errors.ts'
import type { Records } from './records.ts'

/** A show in progress. */
export interface Shows {
  /** What was asked for; kept for the life of the function, since it never changes. @throws TaskInputError when there is none */
  request(showId: string): Promise<ShowRequest>
  /** @throws TaskInputError when there is none */
  state(showId: string): Promise<ShowState>
  /**
   * Changes the state and adds to its timeline what has happened, unless it stands there already. What the owner is to be
   * told is told first: whoever breaks off in between does both again, and the event's id tells that it is the same.
   */
  update(showId: string, change: (state: ShowState) => ShowState, ...happened: TimelineEvent[]): Promise<ShowState>
  note(showId: string, ...happened: TimelineEvent[]): Promise<ShowState>
}

export interface ShowsOptions {
  readonly records: Records
  /** Made when something is told: not every task may. */
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

  const update: Shows['update'] = async (showId, change, ...happened) => {
    const told = new Set<string>()
    return records.updateState(
      showId,
      (latest) => {
        const next = change(latest)
        return { ...next, timeline: withTimeline(next.timeline, clock.now(), ...happened) }
      },
      async (next, latest) => {
        const known = new Set(latest.timeline.map(identityOf))
        for (const entry of next.timeline) {
          const identity = identityOf(entry)
          if (known.has(identity) || told.has(identity) || !isOwnerEventKind(entry.what)) continue
          const { show } = await request(showId)
          await events().tell({ ...eventOfEntry(entry, next, show), callback: show.callback !== undefined })
          told.add(identity)
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
    note: (showId, ...happened) => update(showId, (state) => state, ...happened),
  }
}
