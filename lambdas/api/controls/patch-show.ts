import type { ControlBody } from '../../../lib/api/controls.ts'
import type { Services } from '../../../lib/services.ts'
import { eventsOfChanges, runningIds, withLayouts } from '../../../lib/show/controls/apply-changes.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { ApiProblem } from '../../http/problem.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { makeChanges, problemsOfChanges } from './composed-changes.ts'
import { control } from './control.ts'
import { askedEnd, problemsOfEnd } from './planned-end.ts'

type Change = ControlBody<'change'>

/** Milliseconds after which no change is started: the API answers 202, and the watch machine makes the rest. */
const CHANGES_MS = 12_000

/**
 * `PATCH /shows/{id}`: moves the end of a live show, changes layouts and streams. Everything is checked before the first change.
 * Each change sets a value, so a failed request can be repeated. A request that takes too long is answered with 202, and
 * continues after the show's next polls.
 */
export async function patchShow(event: ApiEvent, services: Services, { log }: Asked) {
  let made: { change: Change; before: ShowState } | undefined
  const answer = await control(
    event,
    { services, log },
    {
      name: 'change',
      async carryOut(state, change) {
        const { show } = await services.shows.request(state.showId)
        const end = askedEnd(change, state)
        const path = change.duration === undefined ? 'endsAt' : 'duration'
        const problems = [
          ...(end === undefined ? [] : await problemsOfEnd(end, path, state, services)),
          ...problemsOfChanges(change, state, show),
        ]
        if (problems.length > 0)
          throw new ApiProblem('change-refused', 'The show does not allow this; see problems.', problems)
        const plannedEndAt = end === undefined ? undefined : new Date(end).toISOString()
        const done = await makeChanges(services, change, { state, until: services.clock.now() + CHANGES_MS })
        const { layouts, streams } = change
        if (done < layouts.length + streams.length) {
          const targets = runningIds(state)
          return { happened: [], pending: { layouts, streams, made: done, targets, leaveOut: [], plannedEndAt } }
        }
        made = { change, before: state }
        return {
          happened: eventsOfChanges(change, plannedEndAt),
          change(latest) {
            if (plannedEndAt) refuseEnded(latest, services.clock.now())
            return { ...latest, ...withLayouts(change, latest), ...(plannedEndAt && { plannedEndAt }) }
          },
        }
      },
    },
  )
  // A part that started meanwhile may have started with the former layout and streams.
  if (made && made.change.layouts.length + made.change.streams.length > 0) {
    const state = await services.shows.state(made.before.showId)
    await makeChanges(services, made.change, { state, leaveOut: runningIds(made.before) })
  }
  return answer
}

/** Once its time is up or a stop was requested, the machine may already be ending the show. */
function refuseEnded({ showId, plannedEndAt = '', stopAskedAt, endedAt }: ShowState, now: number): void {
  if (stopAskedAt || endedAt || Date.parse(plannedEndAt) <= now)
    throw new ApiProblem('wrong-show-state', `The show ${showId} has ended meanwhile, so its end cannot be moved.`)
}
