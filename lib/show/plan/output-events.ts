import { isLive } from '../state/part-entries.ts'
import type { BroadcastState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'
import type { TimelineEntry } from '../state/timeline.ts'
import type { TimelineEvent } from '../state/timeline-events.ts'

/** Seconds for which an output may connect, at the start or again, before it counts as failed. */
export const CONNECTING_LIMIT = 60
/** Changes of one output that the timeline holds and owners are notified of, in each part of a broadcast. */
export const MAX_NOTED = 100

const UNSTABLE = 'It goes off the air again and again. No further change of it is noted.'

const NEVER = 'It was still connecting when the show ended.'

type Output = NonNullable<BroadcastState['rtmp']>[number]
const OUTPUT_EVENTS = ['output.live', 'output.reconnecting', 'output.recovered', 'output.failed'] as const
type OutputEvent = (typeof OUTPUT_EVENTS)[number]

/**
 * Returns the event of an observed RTMP output that its timeline lacks. The platform renews lost connections itself, with the
 * status `connecting`, and `offline` or `error` when it gives up. An output without streams to send is `connecting` as well: as
 * long as a recording is paused, no participant publishes. An unstable output does not fill the timeline of a long show: its last
 * event is a failure.
 */
export function outputEvents(
  state: ShowState,
  broadcast: BroadcastState,
  { id, status }: Output,
  now: number,
): TimelineEvent[] {
  const { name, part } = broadcast
  const entries = state.timeline.filter((entry) => isOf(entry, { name, part, id }))
  const last = entries.at(-1)
  const noteAs = (what: OutputEvent, detail?: string): TimelineEvent[] => {
    const occurrence = entries.filter((entry) => entry.what === what).length + 1
    return [{ what, name, part, id, ...(occurrence > 1 && { occurrence }), ...(detail && { detail }) }]
  }
  const eventOf = (what: OutputEvent, detail?: string): TimelineEvent[] => {
    if (entries.length > MAX_NOTED) return []
    return entries.length === MAX_NOTED ? noteAs('output.failed', UNSTABLE) : noteAs(what, detail)
  }
  if (status === 'offline' || status === 'error')
    return last?.what === 'output.failed' ? [] : eventOf('output.failed', status)
  if (status === 'live') {
    if (!last) return eventOf('output.live')
    return isOnAir(last) ? [] : eventOf('output.recovered')
  }
  if (status !== 'connecting' || !isLive(broadcast) || isIdle(state)) return []
  if (last && isOnAir(last)) {
    const deadline = new Date(now + CONNECTING_LIMIT * 1000).toISOString()
    return eventOf('output.reconnecting', `It counts as failed if it is not live by ${deadline}.`)
  }
  const since = last?.what === 'output.failed' ? undefined : (last?.at ?? broadcast.createdAt)
  if (since === undefined || now < Date.parse(since) + CONNECTING_LIMIT * 1000) return []
  return eventOf('output.failed', `It has been connecting for ${CONNECTING_LIMIT} s.`)
}

/** Returns the events of all outputs that the timeline lacks. */
export const outputEventsOf = (state: ShowState, now: number): TimelineEvent[] =>
  state.broadcasts.flatMap((broadcast) =>
    (broadcast.rtmp ?? []).flatMap((output) => outputEvents(state, broadcast, output, now)),
  )

/**
 * Returns the failures of outputs that were never on the air, of a show that ends while its broadcasts are live. The platform
 * reports no output of a stopped broadcast.
 */
export const neverOnAir = (state: ShowState): TimelineEvent[] =>
  isIdle(state)
    ? []
    : state.broadcasts.filter(isLive).flatMap(({ name, part, rtmp = [] }) =>
        rtmp
          .filter(({ id, status }) => {
            const wasNoted = state.timeline.some((entry) => isOf(entry, { name, part, id }))
            return status === 'connecting' && !wasNoted
          })
          .map(({ id }) => ({ what: 'output.failed', name, part, id, detail: NEVER }) as const),
      )

const isOf = (entry: TimelineEntry, { name, part, id }: { name: string; part: number; id: string }) =>
  OUTPUT_EVENTS.some((what) => what === entry.what) && entry.name === name && entry.part === part && entry.id === id

const isOnAir = ({ what }: TimelineEntry) => what === 'output.live' || what === 'output.recovered'

/** Returns true if a recording shows that no participant publishes. */
const isIdle = ({ recordings }: ShowState) => recordings.some(({ status }) => status === 'paused')

/** An output that was off the air. */
interface OutputFailure {
  readonly broadcast: string
  readonly id: string
  readonly count: number
  /** The last observed status. */
  readonly status: string
}

/** Returns the outputs of all broadcasts that have failed, by the timeline or by their last status. */
export const outputFailures = ({ broadcasts, timeline }: ShowState): OutputFailure[] =>
  broadcasts.flatMap(({ name, part, rtmp = [] }) =>
    rtmp.flatMap(({ id, status }) => {
      const failed = timeline.filter(
        (entry) => entry.what === 'output.failed' && isOf(entry, { name, part, id }),
      ).length
      const isDown = status === 'offline' || status === 'error'
      const broadcast = part > 1 ? `${name} (part ${part})` : name
      return failed > 0 || isDown ? [{ broadcast, id, status, count: Math.max(failed, 1) }] : []
    }),
  )

export function describeOutput({ broadcast, id, status, count }: OutputFailure): string {
  const output = `The output ${id} of the broadcast ${broadcast}`
  if (status === 'offline' || status === 'error') return `${output} was ${status}.`
  return status === 'live'
    ? `${output} was off the air ${count === 1 ? 'for a time' : `${count} times`}.`
    : `${output} was not on the air at the end.`
}
