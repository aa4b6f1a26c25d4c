import { isDeepStrictEqual } from 'node:util'
import { PlatformError } from '../../../platform/client/errors.ts'
import type { Services } from '../../../services.ts'
import { withPlatformUntil } from '../../controls/request-deadline.ts'
import { openEndOf } from '../../document/duration.ts'
import { MAX_POLL_INTERVAL } from '../../plan/poll-interval.ts'
import type { ShowState } from '../../state/state.ts'
import { isNotYet, onError } from '../platform-errors.ts'
import { type AwaitingShow, audienceStreams } from '../start/check-audience.ts'

/** Milliseconds of one observation's task that go to the streams of a session. */
const STREAMS_MS = 5_000
/** Milliseconds between two polls of a show that would be over if its streams could be read. */
const RETRY_PAUSE = 5_000
/** Milliseconds after which an observation says nothing about the time since: one poll may fail, and polls take seconds. */
const MAX_GAP = 2.5 * MAX_POLL_INTERVAL * 1000

type Noting = Pick<Services, 'platform' | 'shows' | 'clock'>

/**
 * Notes since when no participant of a show with an open end publishes. Until one has published, listeners wait for it and the
 * show is not empty. Without an answer of the platform, nothing is noted; after two lost polls the wait begins again.
 * @returns the state, and whether the session was just seen without a participant's stream
 */
export async function noteEmptiness(
  services: Noting,
  show: AwaitingShow,
): Promise<{ state: ShowState; isEmpty: boolean }> {
  const { request, state } = show
  if (request.show.duration !== null || state.stopAskedAt || state.endedAt) return { state, isEmpty: false }
  const limited = withPlatformUntil(services, services.clock.now() + STREAMS_MS)
  const isEmpty = await hasNoAudience(limited, show).catch(
    onError((error) => error instanceof PlatformError, undefined),
  )
  if (isEmpty === undefined) return { state, isEmpty: false }
  const now = services.clock.now()
  const noting = (latest: ShowState) => withEmptiness(latest, isEmpty, now)
  if (isDeepStrictEqual(noting(state), state)) return { state, isEmpty }
  return { state: await services.shows.update(state.showId, noting), isEmpty }
}

/** Returns a state with the observation that a session is empty, or is not. */
function withEmptiness({ emptySince, emptySeenAt, ...state }: ShowState, isEmpty: boolean, now: number): ShowState {
  if (!isEmpty) return { ...state, participantSeen: true }
  if (!state.participantSeen) return state
  const at = new Date(now).toISOString()
  const isConfirmed = emptySeenAt !== undefined && now - Date.parse(emptySeenAt) <= MAX_GAP
  return { ...state, emptySince: isConfirmed ? (emptySince ?? at) : at, emptySeenAt: at }
}

async function hasNoAudience(services: Noting, show: AwaitingShow): Promise<boolean> {
  const platform = await services.platform()
  const { items } = await platform.listStreams({ sessionId: show.sessionId }).catch(onError(isNotYet, { items: [] })) // no client is connected
  return (await audienceStreams(services, items, show)).length === 0
}

/** Returns when an empty show with an open end is over, in milliseconds since the epoch. */
export function timeOfEmptyEnd(
  { show }: Pick<AwaitingShow['request'], 'show'>,
  { emptySince }: Pick<ShowState, 'emptySince'>,
): number {
  const { emptyWait } = openEndOf(show)
  return emptySince === undefined || emptyWait === undefined
    ? Number.POSITIVE_INFINITY
    : Date.parse(emptySince) + emptyWait * 1000
}

/** Returns when to poll an empty show next, in milliseconds since the epoch. */
export function timeOfEmptyPoll(
  request: Pick<AwaitingShow['request'], 'show'>,
  state: Pick<ShowState, 'emptySince'>,
  now: number,
): number {
  const end = timeOfEmptyEnd(request, state)
  return end > now ? end : now + RETRY_PAUSE
}
