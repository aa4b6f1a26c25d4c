import { longestBroadcast } from '../../../../lib/show/document/broadcast.ts'
import { isAttended, presencesIn } from '../presences.ts'
import { gapsIn, type PartRun, partRunsOf, pauseAfter, ranOn } from './part-runs.ts'
import { deniedBroadcastsIn, hindrancesIn, latestAfter, type WatchEvidence } from './watch-faults.ts'

/** Seconds for which nothing may be broadcast: an end is noticed within a minute, and the next part starts within another. */
const WITHIN = 120
/** Seconds for which a fault, or a change by a caller, may delay the next part. */
const EXCUSED = 1_200
/** Seconds before the end of a show in which no further part is needed. */
const MARGIN = 30
/** Seconds by which a part may end before its limit. */
const ROUNDED = 5

/** Checks that a broadcast in parts continues after a part that has reached its limit or failed, until its show ends. */
export function continuedBroadcasts({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const hindrances = hindrancesIn({ trace, failedCalls })
  const denied = deniedBroadcastsIn(trace)
  return shows.flatMap(({ showId, request, state }) => {
    const endedAt = Date.parse(state?.endedAt ?? '')
    if (!request || !state || Number.isNaN(endedAt)) return []
    const broadcasts = partRunsOf(showId, 'broadcast', statusChanges)
    const all = [...broadcasts, ...partRunsOf(showId, 'archive', statusChanges)]
    const isStopped = (name: string) => state.broadcasts.some((one) => one.name === name && one.stopAskedAt)
    const orders = request.show.broadcasts.filter(({ name, parts }) => parts === true && !isStopped(name))
    return orders.flatMap((order) => {
      const runs = broadcasts.filter(({ name }) => name === order.name)
      return gapsIn(runs, endedAt).flatMap(({ last, to }) => {
        if (denied.has(last.id)) return []
        if (!last.hasFailed && !isFull(last, longestBroadcast(order))) return []
        const pause = last.hasFailed ? pauseAfter(last, runs, last.to) : 0
        const due = last.to + (WITHIN + pause) * 1000
        const limit = latestAfter(hindrances, { from: last.to, due, seconds: EXCUSED })
        const soon = { from: last.to, to: last.to + WITHIN * 1000 }
        const isEmpty = () => !ranOn(all, soon) && !isAttended(presencesIn(trace, state.sessionId ?? ''), soon)
        if (to <= limit || endedAt <= limit + MARGIN * 1000 || isEmpty()) return []
        return [`nothing of ${order.name} was broadcast for ${(to - last.to) / 1000} s after part ${last.part}`]
      })
    })
  })
}

const isFull = ({ from, to }: PartRun, seconds: number) => to - from >= (seconds - ROUNDED) * 1000
