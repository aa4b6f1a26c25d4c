import type { Services } from '../../lib/services.ts'
import { secondsUntilNextPoll } from '../../lib/show/plan/poll-interval.ts'
import { checkForAudience } from '../../lib/show/run/start/check-audience.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/** Of the time waited: after ten minutes a look every 15 s. */
const SHARE = 1 / 40
/** Seconds: somebody who comes late is noticed as soon as somebody who comes after ten minutes. */
const MAX_WAIT = 15
/**
 * Seconds after which somebody is taken to be there where nothing can show it: each recording is then refused in its own
 * state, in words, and the broadcasts have their chance. One refusal may be a slip of the platform.
 */
const SURE = 30

export async function checkAudience(
  { showId, sessionId, startedAt }: TaskInput<'checkAudience'>,
  services: Services,
): Promise<TaskOutput<'checkAudience'>> {
  const { shows, clock } = services
  const [request, state] = await Promise.all([shows.request(showId), shows.state(showId)])
  const sight = await checkForAudience(services, sessionId, request, state)
  const now = clock.now()
  const nextLookAt = new Date(now).toISOString()
  if (sight.is === 'over') return { audience: 'not awaited any more', reason: sight.why, nextLookAt }
  const { audienceWait } = request.show
  const waited = (now - Date.parse(startedAt)) / 1000
  if (sight.is === 'somebody' || (sight.is === 'unknowable' && waited >= SURE)) {
    await shows.note(showId, { what: 'audience.present' })
    return { audience: 'present', nextLookAt }
  }
  if (waited >= audienceWait)
    return { audience: 'never came', reason: `Nobody came within ${audienceWait} s.${sight.said}`, nextLookAt }
  if (state.status === 'starting')
    await shows.update(showId, (latest) => (latest.status === 'starting' ? { ...latest, status: 'waiting' } : latest))
  const wait = Math.min(secondsUntilNextPoll(waited, SHARE), MAX_WAIT, audienceWait - waited)
  return { audience: 'absent', nextLookAt: new Date(now + wait * 1000).toISOString() }
}

export const handler = taskHandler('checkAudience', checkAudience)
