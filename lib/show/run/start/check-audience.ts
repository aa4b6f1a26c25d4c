import type { Composer, Stream } from '../../../platform/client/answers.ts'
import { PlatformError, PlatformRequestError } from '../../../platform/client/errors.ts'
import { startRefusals } from '../../../platform/contract/errors.ts'
import type { Services, TaskRun } from '../../../services.ts'
import { ShowStoppedError, TaskConfigError, TaskInputError } from '../../../tasks/errors.ts'
import { secondsUntilNextPoll } from '../../plan/poll-interval.ts'
import type { ShowRequest } from '../../state/request.ts'
import type { ShowState } from '../../state/state.ts'
import { findComposers } from '../adoption.ts'
import { isShown } from '../observation.ts'
import { isGone, isNotYet, isRelayed, onError } from '../platform-errors.ts'
import { isStopped } from '../unless-stopped.ts'
import { startBroadcastPart, startRecordingPart } from './start-parts.ts'

/** Pause as a share of the time waited so far: it reaches the maximum after ten minutes. */
const WAIT_SHARE = 1 / 40
/** Seconds: a late participant is noticed as fast as one who connects after ten minutes. */
const MAX_WAIT = 15
/** Seconds between two starts that look for listeners: each takes two more calls than a poll for streams. */
const LISTENER_INTERVAL = 10
/**
 * Seconds after which an audience is assumed if every start is refused for another reason. The starts then fail one by one, each
 * with its own reason. A single refusal may be a transient error of the platform.
 */
const ASSUME_PRESENT_AFTER = 30

type Polling = Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock'>

/** A show with a session that participants publish in. */
export interface AwaitingShow {
  readonly sessionId: string
  readonly request: ShowRequest
  readonly state: ShowState
}

interface PolledShow extends AwaitingShow {
  /** False if the poll only looks for published streams. */
  readonly seeksListeners: boolean
}

/** The result of one poll; `detail` is what a user should know if it does not change. */
type AudienceCheck =
  | { readonly is: 'present'; readonly publishes: boolean }
  /** `isCertain` is false if the platform could not be asked. */
  | { readonly is: 'absent'; readonly detail: string; readonly isCertain: boolean }
  /** No stream is published, and every start is refused whether participants listen or not. */
  | { readonly is: 'unknowable'; readonly detail: string }
  | { readonly is: 'over'; readonly reason: string }

/** Polls a session once for participants that the show did not bring itself. */
export const pollAudience: TaskRun<'checkAudience', keyof Polling> = async (
  services,
  { showId, sessionId, startedAt },
) => {
  const { shows, clock } = services
  const [request, state] = await Promise.all([shows.request(showId), shows.state(showId)])
  const seeksListeners = isListenerPoll(request, state, (clock.now() - Date.parse(startedAt)) / 1000)
  const check = await checkOnce(services, { sessionId, request, state, seeksListeners })
  const now = clock.now()
  const nextPollAt = new Date(now).toISOString()
  if (check.is === 'over') return { audience: 'not awaited any more', reason: check.reason, nextPollAt }
  const { audienceWait } = request.show
  const waited = (now - Date.parse(startedAt)) / 1000
  if (check.is === 'present' || (check.is === 'unknowable' && waited >= ASSUME_PRESENT_AFTER)) {
    const isSeen = check.is === 'present' && check.publishes && request.show.duration === null
    const noting = (latest: ShowState) => (isSeen ? { ...latest, participantSeen: true } : latest)
    await shows.update(showId, noting, { what: 'audience.present' })
    return { audience: 'present', nextPollAt }
  }
  if (waited >= audienceWait) {
    const reason = `No participant connected within ${audienceWait} s.${check.detail}`
    if (check.is === 'absent' && check.isCertain) await noteAbsence(shows, showId, reason)
    return { audience: 'never came', reason, nextPollAt }
  }
  if (state.status === 'starting')
    await shows.update(showId, (latest) => (latest.status === 'starting' ? { ...latest, status: 'waiting' } : latest))
  const wait = Math.min(secondsUntilNextPoll(waited, WAIT_SHARE), MAX_WAIT, audienceWait - waited)
  return { audience: 'absent', nextPollAt: new Date(now + wait * 1000).toISOString() }
}

/** Returns whether a poll looks for listeners too: the first one, one in each interval, and those at the limit of the wait. */
const isListenerPoll = ({ show: { audienceWait } }: ShowRequest, { status }: ShowState, waited: number): boolean =>
  status === 'starting' ||
  waited % LISTENER_INTERVAL < secondsUntilNextPoll(waited, WAIT_SHARE) ||
  waited >= audienceWait

/** Any error of the platform may be transient and is polled again, except that a session is relayed. */
async function checkOnce(services: Polling, show: PolledShow): Promise<AudienceCheck> {
  if (isStopped(show.state)) return { is: 'over', reason: STOPPED }
  try {
    const audience = await findAudience(services, show)
    return audience
      ? { is: 'present', publishes: audience === 'publishes' }
      : { is: 'absent', detail: '', isCertain: true }
  } catch (error) {
    if (error instanceof ShowStoppedError) return { is: 'over', reason: STOPPED }
    if (error instanceof PlatformError && isRelayed(error)) return { is: 'over', reason: error.message }
    if (isStartRefusal(error)) return { is: 'unknowable', detail: detailOf(error) }
    if (error instanceof PlatformError) return { is: 'absent', detail: detailOf(error), isCertain: isNobody(error) }
    throw error
  }
}

/** Matches the answer of a known session to which no client is connected. */
const isNobody = (error: PlatformError) => isNotYet(error) && error.details.message !== startRefusals.noSession

/** Notes that the show is cancelled and why, which an interruption of its execution does not change. */
const noteAbsence = (shows: Services['shows'], showId: string, reason: string) =>
  shows.update(showId, (latest) =>
    isStopped(latest) ? latest : { ...latest, unattended: true, endReason: latest.endReason ?? reason },
  )

const STOPPED = 'It was stopped before a participant connected.'

/**
 * Looks for a stream of a participant. Listeners publish no stream: if the show has no scenes and dial-ins, it starts its first
 * recording that can start, or its first broadcast if it records nothing. The platform refuses that while no client is connected.
 * @throws {@link PlatformNotFoundError} while no client is connected
 * @throws {@link PlatformRequestError} when every start is refused for another reason
 */
async function findAudience(
  services: Polling,
  { sessionId, request, state, seeksListeners }: PolledShow,
): Promise<'publishes' | 'listens' | undefined> {
  const { showId, show } = request
  const isBare = state.scenes.length + state.dialIns.length === 0
  const platform = await services.platform()
  const isNobodyThere = (error: unknown) => isBare && isNotYet(error)
  const { items } = await platform.listStreams({ sessionId }).catch(onError(isNobodyThere, { items: [] }))
  const streams = await audienceStreams(services, items, { sessionId, request, state })
  if (streams.length > 0) return 'publishes'
  if (!isBare || !seeksListeners) return undefined
  let refusal: PlatformRequestError | TaskConfigError | undefined
  const [orders, startPart] =
    show.recordings.length > 0 ? [show.recordings, startRecordingPart] : [show.broadcasts, startBroadcastPart]
  for (const { name } of orders) {
    try {
      await startPart(services, { showId, sessionId, name, part: 1 })
      return 'listens'
    } catch (error) {
      if (!isStartRefusal(error)) throw error
      refusal = error // says nothing about the audience: the next start may
    }
  }
  throw refusal ?? new TaskInputError(`The show ${showId} orders neither a recording nor a broadcast.`)
}

/** Matches a start that fails independently of the audience: the platform refuses it, or its secret is missing. */
const isStartRefusal = (error: unknown): error is PlatformRequestError | TaskConfigError =>
  error instanceof TaskConfigError ||
  (error instanceof PlatformRequestError && STARTS.includes(error.details.operation))
const STARTS: readonly string[] = ['startArchive', 'startBroadcast']

/** Returns what the platform said last, unless it is only that no client is connected yet. */
function detailOf(error: PlatformError | TaskConfigError): string {
  if (error instanceof TaskConfigError) return ` ${error.message}`
  if (!isNotYet(error)) return ` The last poll of the platform failed: ${error.message}`
  return error.details.message === startRefusals.noSession ? ` The platform last said: ${startRefusals.noSession}.` : ''
}

/**
 * Returns the streams of a session that are not scenes or dial-ins of the show. A scene has a stream once its page is open, so an
 * unknown stream id is read from the platform and noted in the state. The stream of a call whose answer was lost counts as one
 * of a participant.
 */
export async function audienceStreams(
  services: Pick<Services, 'platform' | 'shows'>,
  streams: readonly Stream[],
  show: AwaitingShow,
): Promise<Stream[]> {
  const { scenes, dialIns } = show.state
  const known = new Set([...scenes, ...dialIns].flatMap(({ streamId }) => streamId ?? []))
  const others = streams.filter(({ id }) => !known.has(id))
  if (others.length === 0 || !scenes.some(mayPublish)) return others
  const composers = await readComposers(services, show)
  const theirs = new Set(composers.flatMap(({ streamId }) => streamId ?? []))
  return others.filter(({ id }) => !theirs.has(id))
}

/** Returns true for a scene whose stream is unknown: its composer runs, or may run although its start was not noted. */
function mayPublish({ streamId, composerId, status, problem, askedAt }: ShowState['scenes'][number]): boolean {
  if (streamId !== undefined) return false
  return composerId === undefined ? problem === undefined || askedAt !== undefined : isShown({ status })
}

async function readComposers(
  { platform: connect, shows }: Pick<Services, 'platform' | 'shows'>,
  { sessionId, request, state: { scenes } }: AwaitingShow,
): Promise<Composer[]> {
  const { showId, acceptedAt, show } = request
  const platform = await connect()
  const listed = await findComposers(platform, { sessionId, acceptedAt, urls: show.scenes.map(({ url }) => url) })
  const unlisted = scenes.flatMap(({ composerId: id }) => (id && !listed.some((one) => one.id === id) ? [id] : []))
  const read = await Promise.all(
    unlisted.map((composerId) => platform.getComposer({ composerId }).catch(onError(isGone, undefined))),
  )
  const composers = [...listed, ...read.filter((one) => one !== undefined)]
  await shows.update(showId, (latest) => ({
    ...latest,
    scenes: latest.scenes.map((scene) => {
      const { streamId, status } = composers.find(({ id }) => id === scene.composerId) ?? {}
      return { ...scene, ...(streamId && { streamId }), ...(status && { status }) }
    }),
  }))
  return composers
}
