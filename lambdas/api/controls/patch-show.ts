import type { ControlBody } from '../../../lib/api/controls.ts'
import type { Services } from '../../../lib/services.ts'
import {
  applyChanges,
  ChangeFailedError,
  type Composed,
  changeTitleOf,
  eventsOfChanges,
  runningIds,
  targetsOf,
  withLayouts,
} from '../../../lib/show/controls/apply-changes.ts'
import type { Show } from '../../../lib/show/document/show.ts'
import { broadcastOrderOf } from '../../../lib/show/state/broadcast-orders.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { ApiProblem, asPlatformProblem, type Detail } from '../../http/problem.ts'
import type { ApiEvent, Asked } from '../../http/request.ts'
import { controlRoute } from './control.ts'
import { askedEnd, problemsOfEnd } from './planned-end.ts'

type Change = ControlBody<'change'>
type LayoutChange = Change['layouts'][number]
type StreamsChange = Change['streams'][number]

/** Milliseconds after which no change is started: the API answers 202, and the watch machine makes the rest. */
const CHANGES_MS = 12_000

/**
 * `PATCH /shows/{id}`: moves the end of a live show, changes layouts and streams. Everything is checked before the first change.
 * Each change sets a value, so a failed request can be repeated. A request that takes too long is answered with 202, and
 * continues after the show's next polls.
 */
export async function patchShow(event: ApiEvent, services: Services, asked: Pick<Asked, 'log'>) {
  let made: { change: Change; before: ShowState } | undefined
  const change = controlRoute('change', {
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
      // The state is written later than the picture changes: the time of a layout is that of the platform's answer.
      const madeAt = new Map<string, string>()
      const onMade = ({ recording, broadcast = '' }: Composed) =>
        madeAt.set(recording ?? broadcast, new Date(services.clock.now()).toISOString())
      const done = await makeChanges(services, change, { state, until: services.clock.now() + CHANGES_MS, onMade })
      const { layouts, streams } = change
      if (done < layouts.length + streams.length) {
        const targets = runningIds(state)
        return { happened: [], pending: { layouts, streams, made: done, targets, leaveOut: [], plannedEndAt } }
      }
      made = { change, before: state }
      return {
        happened: eventsOfChanges(change, plannedEndAt).map((event) => {
          const at = event.what === 'control.layout' ? madeAt.get(event.name ?? '') : undefined
          return at === undefined ? event : { ...event, at }
        }),
        change(latest) {
          if (plannedEndAt) refuseEnded(latest, services.clock.now())
          return { ...latest, ...withLayouts(change, latest), ...(plannedEndAt && { plannedEndAt }) }
        },
      }
    },
  })
  const answer = await change(event, services, asked)
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

function problemsOfChanges({ layouts, streams }: Change, state: ShowState, show: Show): Detail[] {
  return [
    ...layouts.flatMap((one, index) => problemsOfLayout(one, `layouts[${index}]`, state, show)),
    ...streams.flatMap((one, index) => problemsOfStreams(one, `streams[${index}]`, state, show)),
  ]
}

function problemsOfLayout(change: LayoutChange, path: string, state: ShowState, show: Show): Detail[] {
  const order = orderOf(change, state, show)
  if (order && 'outputMode' in order && order.outputMode !== 'composed')
    return [
      { path: `${path}.layout`, message: `requires outputMode composed, which ${changeTitleOf(change)} does not have` },
    ]
  return problemsOfTargets(change, path, state, order)
}

function problemsOfStreams(change: StreamsChange, path: string, state: ShowState, show: Show): Detail[] {
  const order = orderOf(change, state, show)
  if (order && order.streamMode !== 'manual')
    return [
      { path, message: `requires streamMode manual: ${changeTitleOf(change)} includes every stream automatically` },
    ]
  return problemsOfTargets(change, path, state, order)
}

const orderOf = ({ recording, broadcast = '' }: Composed, state: ShowState, { recordings, broadcasts }: Show) =>
  recording === undefined
    ? broadcastOrderOf(broadcast, broadcasts, state)
    : recordings.find(({ name }) => name === recording)

function problemsOfTargets(change: Composed, path: string, state: ShowState, order: object | undefined): Detail[] {
  if (!order) return [{ path, message: `names ${changeTitleOf(change)}, which the show does not have` }]
  if (targetsOf(change, state).length > 0) return []
  return [{ path, message: `names ${changeTitleOf(change)}, which is not running` }]
}

/** Makes changes until the time is up; returns how many. @throws {@link ApiProblem} with the path of a change that failed */
async function makeChanges(...[services, changes, progress]: Parameters<typeof applyChanges>): Promise<number> {
  if (changes.layouts.length + changes.streams.length === 0) return 0
  return applyChanges(services, changes, progress).catch((error: unknown) => {
    if (!(error instanceof ChangeFailedError)) throw error
    const detail = 'A change failed after those before it were made; see problems. Repeat the whole request.'
    throw asPlatformProblem(error.cause, detail, error.path) ?? error.cause
  })
}
