import { PlatformError, PlatformRequestError } from '../../../platform/client/errors.ts'
import { startRefusals } from '../../../platform/contract/errors.ts'
import type { Services } from '../../../services.ts'
import { ShowStoppedError, TaskConfigError, TaskInputError } from '../../../tasks/errors.ts'
import type { ShowRequest } from '../../state/request.ts'
import type { ShowState } from '../../state/state.ts'
import { isNotYet, isRelayed, onError } from '../platform-errors.ts'
import { isStopped } from '../unless-stopped.ts'
import { audienceStreams } from './audience-streams.ts'
import { startBroadcastPart, startRecordingPart } from './start-parts.ts'

/** What one look for somebody whom the show did not bring itself has shown. */
export type AudienceCheck =
  | { readonly is: 'somebody' }
  /** `said` is what a person should know if it stays so; empty while people are simply not there yet. */
  | { readonly is: 'nobody'; readonly said: string }
  /** Nobody publishes, and no start can show whether somebody listens, since each is refused whoever is there. */
  | { readonly is: 'unknowable'; readonly said: string }
  | { readonly is: 'over'; readonly why: string }

/**
 * Looks once. Whatever else the platform answers may pass (it cannot be reached, the project is suspended, one answer is
 * garbled), so it is looked at again and told at the end; only a relayed session stays what it is.
 */
export async function checkForAudience(
  services: Reach,
  sessionId: string,
  request: ShowRequest,
  state: ShowState,
): Promise<AudienceCheck> {
  if (isStopped(state)) return { is: 'over', why: STOPPED }
  try {
    const isThere = await meetAudience(services, sessionId, request, state)
    return isThere ? { is: 'somebody' } : { is: 'nobody', said: '' }
  } catch (error) {
    if (error instanceof ShowStoppedError) return { is: 'over', why: STOPPED }
    if (error instanceof PlatformError && isRelayed(error)) return { is: 'over', why: error.message }
    if (isRefusal(error)) return { is: 'unknowable', said: inLastWords(error) }
    if (error instanceof PlatformError) return { is: 'nobody', said: inLastWords(error) }
    throw error
  }
}

type Reach = Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock'>

const STOPPED = 'It was stopped before anybody had come.'

/**
 * Looks for a stream that the show did not bring itself. Listeners publish none: where nobody else can be connected, a start
 * is not refused when they are there, and what it starts is the first recording that can be, or the first broadcast of a
 * show that records nothing.
 * @throws PlatformNotFoundError while nobody is there
 * @throws PlatformRequestError when each start is refused whoever is there
 */
async function meetAudience(
  services: Reach,
  sessionId: string,
  request: ShowRequest,
  state: ShowState,
): Promise<boolean> {
  const { showId, show } = request
  const isBare = state.scenes.length + state.dialIns.length === 0
  const platform = await services.platform()
  const isLeftToStart = (error: unknown) => isBare && isNotYet(error)
  const { items } = await platform.listStreams({ sessionId }).catch(onError(isLeftToStart, { items: [] }))
  const strangers = await audienceStreams(services, items, { sessionId, request, state })
  if (strangers.length > 0 || !isBare) return strangers.length > 0
  let refusal: PlatformRequestError | TaskConfigError | undefined
  const [orders, startPart] =
    show.recordings.length > 0 ? [show.recordings, startRecordingPart] : [show.broadcasts, startBroadcastPart]
  for (const { name } of orders) {
    try {
      await startPart(services, { showId, sessionId, name, part: 1 })
      return true
    } catch (error) {
      if (!isRefusal(error)) throw error
      refusal = error // it says nothing of who is there: the next one may
    }
  }
  throw refusal ?? new TaskInputError(`The show ${showId} orders neither a recording nor a broadcast.`)
}

/** To a start: it is refused whoever is there, by the platform or because a secret of it is missing. */
const isRefusal = (error: unknown): error is PlatformRequestError | TaskConfigError =>
  error instanceof TaskConfigError ||
  (error instanceof PlatformRequestError && STARTS.includes(error.details.operation))
const STARTS: readonly string[] = ['startArchive', 'startBroadcast']

/** What the platform said, where that is more than that nobody is there yet. */
function inLastWords(error: PlatformError | TaskConfigError): string {
  if (error instanceof TaskConfigError) return ` ${error.message}`
  if (!isNotYet(error)) return ` When it was last asked, the platform did not say who is there: ${error.message}`
  return error.details.message === startRefusals.noSession ? ` The platform last said: ${startRefusals.noSession}.` : ''
}
