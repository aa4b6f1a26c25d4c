import { PlatformError } from '../lib/platform/client/errors.ts'
import { startRefusals } from '../lib/platform/contract/errors.ts'
import { strangersAmong } from '../lib/services/own-streams.ts'
import { instead, isNotYet, isRelayed } from '../lib/services/refusals.ts'
import type { Services } from '../lib/services/services.ts'
import { isStopped, startRecordingPart } from '../lib/services/starting.ts'
import type { ShowRequest } from '../lib/workflow/documents/request.ts'
import type { ShowState } from '../lib/workflow/documents/state.ts'
import { ShowStoppedError } from '../lib/workflow/errors.ts'
import { secondsUntilNextLook } from '../lib/workflow/looks.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

/** Of the time waited: after ten minutes a look every 15 s. */
const SHARE = 1 / 40
/** Seconds: somebody who comes late is noticed as soon as somebody who comes after ten minutes. */
const LONGEST_WAIT = 15

export async function checkAudience(
  { showId, sessionId, startedAt }: TaskInput<'checkAudience'>,
  services: Services,
): Promise<TaskOutput<'checkAudience'>> {
  const { shows, clock } = services
  const [request, state] = await Promise.all([shows.request(showId), shows.state(showId)])
  const sight = await look(services, sessionId, request, state)
  const now = clock.now()
  const nextLookAt = new Date(now).toISOString()
  if (sight.is === 'over') return { audience: 'not awaited any more', reason: sight.why, nextLookAt }
  if (sight.is === 'somebody') {
    await shows.note(showId, { what: 'audience.present' })
    return { audience: 'present', nextLookAt }
  }

  const { audienceWait } = request.show
  const waited = (now - Date.parse(startedAt)) / 1000
  if (waited >= audienceWait)
    return { audience: 'never came', reason: `Nobody came within ${audienceWait} s.${sight.said}`, nextLookAt }
  if (state.status === 'starting')
    await shows.update(showId, (latest) => (latest.status === 'starting' ? { ...latest, status: 'waiting' } : latest))
  const wait = Math.min(secondsUntilNextLook(waited, SHARE), LONGEST_WAIT, audienceWait - waited)
  return { audience: 'absent', nextLookAt: new Date(now + wait * 1000).toISOString() }
}

type Sight =
  | { readonly is: 'somebody' }
  /** `said` is what a person should know if it stays so; empty while people are simply not there yet. */
  | { readonly is: 'nobody'; readonly said: string }
  | { readonly is: 'over'; readonly why: string }

/**
 * Looks once. Whatever else the platform answers may pass (it cannot be reached, the project is suspended, one answer is
 * garbled), so it is looked at again and told at the end; only a relayed session stays what it is.
 */
async function look(services: Services, sessionId: string, request: ShowRequest, state: ShowState): Promise<Sight> {
  if (isStopped(state)) return { is: 'over', why: STOPPED }
  try {
    const isThere = await meetAudience(services, sessionId, request, state)
    return isThere ? { is: 'somebody' } : { is: 'nobody', said: '' }
  } catch (error) {
    if (error instanceof ShowStoppedError) return { is: 'over', why: STOPPED }
    if (error instanceof PlatformError && isRelayed(error)) return { is: 'over', why: error.message }
    if (error instanceof PlatformError) return { is: 'nobody', said: inLastWords(error) }
    throw error
  }
}

const STOPPED = 'It was stopped before anybody had come.'

/**
 * Looks for a stream that the show did not bring itself. Listeners publish none: where nobody else can be connected, a start
 * is not refused when they are there, and what it starts is the first recording.
 * @throws PlatformNotFoundError while nobody is there
 */
async function meetAudience(
  services: Services,
  sessionId: string,
  request: ShowRequest,
  state: ShowState,
): Promise<boolean> {
  const { showId, show } = request
  const isBare = state.scenes.length + state.dialIns.length === 0
  const platform = await services.platform()
  const isLeftToStart = (error: unknown) => isBare && isNotYet(error)
  const { items } = await platform.listStreams({ sessionId }).catch(instead(isLeftToStart, { items: [] }))
  const strangers = await strangersAmong(services, items, { sessionId, request, state })
  if (strangers.length > 0 || !isBare) return strangers.length > 0
  await startRecordingPart(services, { showId, sessionId, name: show.recordings[0]?.name ?? '', part: 1 })
  return true
}

/** What the platform said, where that is more than that nobody is there yet. */
function inLastWords(error: PlatformError): string {
  if (!isNotYet(error)) return ` When it was last asked, the platform did not say who is there: ${error.message}`
  return error.details.message === startRefusals.noSession ? ` The platform last said: ${startRefusals.noSession}.` : ''
}

export const handler = taskHandler('checkAudience', checkAudience)
