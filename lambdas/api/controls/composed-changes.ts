import type { ControlBody } from '../../../lib/api/controls.ts'
import {
  applyChanges,
  ChangeFailedError,
  type Composed,
  targetsOf,
  titleOf,
} from '../../../lib/show/controls/apply-changes.ts'
import { platformProblem } from '../../../lib/show/controls/platform-problems.ts'
import type { Show } from '../../../lib/show/document/show.ts'
import { broadcastOrderOf } from '../../../lib/show/state/broadcast-orders.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { ApiProblem, type Detail } from '../../http/problem.ts'

type Change = ControlBody<'change'>
type LayoutChange = Change['layouts'][number]
type StreamsChange = Change['streams'][number]

/** Why the show does not allow these changes, each with its path. */
export function problemsOfChanges({ layouts, streams }: Change, state: ShowState, show: Show): Detail[] {
  return [
    ...layouts.flatMap((one, index) => problemsOfLayout(one, `layouts[${index}]`, state, show)),
    ...streams.flatMap((one, index) => problemsOfStreams(one, `streams[${index}]`, state, show)),
  ]
}

function problemsOfLayout(change: LayoutChange, path: string, state: ShowState, show: Show): Detail[] {
  const order = orderOf(change, state, show)
  if (order && 'outputMode' in order && order.outputMode !== 'composed')
    return [{ path: `${path}.layout`, message: `is only for outputMode composed, and not for ${titleOf(change)}` }]
  return problemsOfTargets(change, path, state, order)
}

function problemsOfStreams(change: StreamsChange, path: string, state: ShowState, show: Show): Detail[] {
  const order = orderOf(change, state, show)
  if (order && order.streamMode !== 'manual')
    return [{ path, message: `is only for streamMode manual: ${titleOf(change)} takes every stream by itself` }]
  return problemsOfTargets(change, path, state, order)
}

const orderOf = ({ recording, broadcast = '' }: Composed, state: ShowState, { recordings, broadcasts }: Show) =>
  recording === undefined
    ? broadcastOrderOf(broadcast, broadcasts, state)
    : recordings.find(({ name }) => name === recording)

function problemsOfTargets(change: Composed, path: string, state: ShowState, order: object | undefined): Detail[] {
  if (!order) return [{ path, message: `is about ${titleOf(change)}, which the show does not have` }]
  if (targetsOf(change, state).length > 0) return []
  return [{ path, message: `is about ${titleOf(change)}, which does not run` }]
}

/**
 * Makes changes as far as there is time.
 * @returns how many are made
 * @throws ApiProblem with the path of the one that the platform failed at
 */
export async function makeChanges(...[services, changes, progress]: Parameters<typeof applyChanges>): Promise<number> {
  if (changes.layouts.length + changes.streams.length === 0) return 0
  return applyChanges(services, changes, progress).catch((error: unknown) => {
    const problem = error instanceof ChangeFailedError ? platformProblem(error.cause) : undefined
    if (!(error instanceof ChangeFailedError) || !problem)
      throw error instanceof ChangeFailedError ? error.cause : error
    const detail = 'Not every change was made; see problems. Those before it were: ask for all of them again.'
    throw new ApiProblem(problem.status, detail, [{ path: error.path, message: problem.words }])
  })
}
