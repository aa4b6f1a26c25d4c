import type { ControlBody } from '../../../lib/api/controls.ts'
import {
  applyChanges,
  ChangeFailedError,
  type Composed,
  targetsOf,
  titleOf,
} from '../../../lib/show/controls/apply-changes.ts'
import type { Show } from '../../../lib/show/document/show.ts'
import { broadcastOrderOf } from '../../../lib/show/state/broadcast-orders.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { asPlatformProblem, type Detail } from '../../http/problem.ts'

type Change = ControlBody<'change'>
type LayoutChange = Change['layouts'][number]
type StreamsChange = Change['streams'][number]

/** Returns the reasons for which the show does not allow these changes, each with its path. */
export function problemsOfChanges({ layouts, streams }: Change, state: ShowState, show: Show): Detail[] {
  return [
    ...layouts.flatMap((one, index) => problemsOfLayout(one, `layouts[${index}]`, state, show)),
    ...streams.flatMap((one, index) => problemsOfStreams(one, `streams[${index}]`, state, show)),
  ]
}

function problemsOfLayout(change: LayoutChange, path: string, state: ShowState, show: Show): Detail[] {
  const order = orderOf(change, state, show)
  if (order && 'outputMode' in order && order.outputMode !== 'composed')
    return [{ path: `${path}.layout`, message: `requires outputMode composed, which ${titleOf(change)} does not have` }]
  return problemsOfTargets(change, path, state, order)
}

function problemsOfStreams(change: StreamsChange, path: string, state: ShowState, show: Show): Detail[] {
  const order = orderOf(change, state, show)
  if (order && order.streamMode !== 'manual')
    return [{ path, message: `requires streamMode manual: ${titleOf(change)} includes every stream automatically` }]
  return problemsOfTargets(change, path, state, order)
}

const orderOf = ({ recording, broadcast = '' }: Composed, state: ShowState, { recordings, broadcasts }: Show) =>
  recording === undefined
    ? broadcastOrderOf(broadcast, broadcasts, state)
    : recordings.find(({ name }) => name === recording)

function problemsOfTargets(change: Composed, path: string, state: ShowState, order: object | undefined): Detail[] {
  if (!order) return [{ path, message: `names ${titleOf(change)}, which the show does not have` }]
  if (targetsOf(change, state).length > 0) return []
  return [{ path, message: `names ${titleOf(change)}, which is not running` }]
}

/**
 * Makes changes until the time is up, and returns how many were made.
 * @throws {@link ApiProblem} with the path of the change that the platform refused or failed
 */
export async function makeChanges(...[services, changes, progress]: Parameters<typeof applyChanges>): Promise<number> {
  if (changes.layouts.length + changes.streams.length === 0) return 0
  return applyChanges(services, changes, progress).catch((error: unknown) => {
    if (!(error instanceof ChangeFailedError)) throw error
    const detail = 'A change failed after those before it were made; see problems. Repeat the whole request.'
    throw asPlatformProblem(error.cause, detail, error.path) ?? error.cause
  })
}
