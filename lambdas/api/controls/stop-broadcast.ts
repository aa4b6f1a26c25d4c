import { platformProblem } from '../../../lib/show/controls/platform-problems.ts'
import { withPlatformUntil } from '../../../lib/show/controls/request-deadline.ts'
import { stopBroadcastPart, withRolledBroadcasts } from '../../../lib/show/run/watch/roll-over.ts'
import { mayBeLive } from '../../../lib/show/state/part-entries.ts'
import { ApiProblem } from '../../http/problem.ts'
import { controlRoute } from './control.ts'

/** Milliseconds of a request that go to the platform. */
const PLATFORM_MS = 10_000

/**
 * `POST /shows/{id}/broadcasts/{name}/stop`: notes the request first, so that nothing starts the broadcast meanwhile. What the
 * platform does not stop at once, the next poll does.
 */
export const postBroadcastStop = controlRoute('stopBroadcast', {
  prepare(state, _body, { now, output }) {
    if (!state.broadcasts.some(({ name }) => name === output))
      throw new ApiProblem('change-refused', 'The show does not allow this; see problems.', [
        { path: 'name', message: `names no broadcast of the show: ${output}` },
      ])
    const stopAskedAt = new Date(now).toISOString()
    return {
      ...state,
      broadcasts: state.broadcasts.map((one) => (one.name === output ? { stopAskedAt, ...one } : one)),
    }
  },
  async carryOut({ broadcasts }, _body, services, { output }) {
    const limited = withPlatformUntil(services, services.clock.now() + PLATFORM_MS)
    const parts = broadcasts.filter((one) => one.name === output && mayBeLive(one))
    const outcomes = await Promise.allSettled(parts.map((part) => stopBroadcastPart(limited, part)))
    const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    const other = failures.find((one) => platformProblem(one) === undefined)
    if (other !== undefined) throw other
    const stopped = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const detail =
      failures.length === 0
        ? `The broadcast ${output} is stopped.`
        : `The broadcast ${output} stops within a minute: the platform does not answer.`
    return {
      happened: [{ what: 'control.stopBroadcast', name: output, detail }],
      change: (state) => withRolledBroadcasts(state, stopped),
    }
  },
})
