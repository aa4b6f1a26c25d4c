import type { ControlBody } from '../../../lib/api/controls.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Services } from '../../../lib/services.ts'
import type { BroadcastOrder } from '../../../lib/show/document/broadcast.ts'
import { MAX_SHOW_SECONDS } from '../../../lib/show/document/duration.ts'
import { MAX_POLL_INTERVAL, MIN_POLL_INTERVAL, WARM_UP } from '../../../lib/show/plan/poll-interval.ts'
import { broadcastOrderOf } from '../../../lib/show/state/broadcast-orders.ts'
import { isLive, isRecording } from '../../../lib/show/state/part-entries.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import type { Detail } from '../../http/problem.ts'

/** Milliseconds that a poll may take. */
const POLL_MS = 5_000

/** Returns by when a live show is certainly polled again: only then does it notice an earlier end. */
const earliestEnd = (liveAt: string, now: number): number =>
  now + (now < Date.parse(liveAt) + WARM_UP * 1000 ? MIN_POLL_INTERVAL : MAX_POLL_INTERVAL) * 1000 + POLL_MS

/** Returns the requested end of a live show in milliseconds; undefined when the request does not move it. */
export function askedEnd(
  { duration, endsAt }: ControlBody<'change'>,
  { liveAt = '' }: Pick<ShowState, 'liveAt'>,
): number | undefined {
  if (duration !== undefined) return Date.parse(liveAt) + duration * 1000
  return endsAt === undefined ? undefined : Date.parse(endsAt)
}

/** Returns why a live show cannot end at a time. As in a show document, it must not outlast an archive or broadcast without parts. */
export async function problemsOfEnd(
  end: number,
  path: 'duration' | 'endsAt',
  state: ShowState,
  services: Pick<Services, 'shows' | 'platform' | 'clock'>,
): Promise<Detail[]> {
  const { showId, liveAt = '', plannedEndAt = '' } = state
  const refuse = (message: string) => [{ path, message }]
  if (end <= services.clock.now()) return refuse('is in the past: stop the show instead')
  const earliest = Math.min(earliestEnd(liveAt, services.clock.now()), Date.parse(plannedEndAt))
  if (end < earliest)
    return refuse(
      `is before the next poll of the show, at ${new Date(earliest).toISOString()}: stop the show to end it sooner`,
    )
  if (end > Date.parse(liveAt) + MAX_SHOW_SECONDS * 1000)
    return refuse(`is more than ${MAX_SHOW_SECONDS} s after the show went live, at ${liveAt}`)
  if (end <= Date.parse(plannedEndAt)) return []

  const { show } = await services.shows.request(showId)
  const whole = state.recordings.filter(
    (one) => isRecording(one) && show.recordings.find(({ name }) => name === one.name)?.parts === false,
  )
  const archives = whole.map(({ name, createdAt = liveAt }) => ({
    what: `the recording ${name}`,
    endsAt: Date.parse(createdAt) + limits.archiveDuration.value * 1000,
  }))
  return [...archives, ...(await broadcastEnds(state, show.broadcasts, services))]
    .filter(({ endsAt }) => endsAt < end)
    .flatMap(({ what, endsAt }) =>
      refuse(`is too late for ${what}, which has no parts: the platform stops it at ${new Date(endsAt).toISOString()}`),
    )
}

/** Returns when the platform stops the broadcasts without parts, as set when they were started. */
async function broadcastEnds(
  state: ShowState,
  ordered: readonly BroadcastOrder[],
  services: Pick<Services, 'platform'>,
): Promise<{ what: string; endsAt: number }[]> {
  const whole = state.broadcasts.filter(
    (one) => isLive(one) && broadcastOrderOf(one.name, ordered, state)?.parts !== true,
  )
  return Promise.all(
    whole.map(async ({ name, broadcastId = '' }) => {
      const platform = await services.platform()
      const { createdAt, maxDuration = limits.broadcastDurationDefault.value } = await platform.getBroadcast({
        broadcastId,
      })
      return { what: `the broadcast ${name}`, endsAt: createdAt + maxDuration * 1000 }
    }),
  )
}
