import { isDeepStrictEqual } from 'node:util'
import { platformProblem } from '../../lib/services/platform-problems.ts'
import type { Services } from '../../lib/services/services.ts'
import { broadcastOrderOf } from '../../lib/services/starting.ts'
import type { ControlBody } from '../../lib/workflow/controls.ts'
import type { ShowState } from '../../lib/workflow/documents/state.ts'
import { isLive, isRecording } from '../../lib/workflow/part-entries.ts'
import type { Show } from '../../lib/workflow/show.ts'
import { ApiProblem, type Detail } from './problem.ts'

type Change = ControlBody<'change'>
type LayoutChange = Change['layouts'][number]
type StreamsChange = Change['streams'][number]
type Platform = Awaited<ReturnType<Services['platform']>>

/** Which recording or broadcast a change is about. */
export interface Composed {
  readonly recording?: string | undefined
  readonly broadcast?: string | undefined
}

/** How a change's recording or broadcast is called in words. */
export const titleOf = ({ recording, broadcast }: Composed): string =>
  recording === undefined ? `the broadcast ${broadcast}` : `the recording ${recording}`

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

type Target = { readonly archiveId: string } | { readonly broadcastId: string }

/** The running parts of what a change is about; two of them while one takes over from the other. */
const targetsOf = ({ recording, broadcast }: Composed, { recordings, broadcasts }: ShowState): Target[] =>
  recording === undefined
    ? broadcasts.flatMap(({ name, broadcastId, status }) =>
        name === broadcast && broadcastId && isLive({ status }) ? [{ broadcastId }] : [],
      )
    : recordings.flatMap(({ name, archiveId, status, stoppedAt }) =>
        name === recording && archiveId && isRecording({ status }) && !stoppedAt ? [{ archiveId }] : [],
      )

/**
 * Makes the changes, one after another.
 * @param before as the state was when they were made already: then they are made of what has begun since
 * @throws ApiProblem with the path of the one that the platform failed at
 */
export async function makeChanges(
  { layouts, streams }: Change,
  { state, before }: { state: ShowState; before?: ShowState },
  services: Services,
): Promise<void> {
  if (layouts.length + streams.length === 0) return
  const platform = await services.platform()
  const remaining = (change: Composed) => {
    const made = before ? targetsOf(change, before) : []
    return targetsOf(change, state).filter((target) => !made.some((one) => isDeepStrictEqual(one, target)))
  }
  for (const [index, change] of layouts.entries())
    for (const target of remaining(change)) await inPlace(`layouts[${index}]`, setLayout(platform, target, change))
  for (const [index, change] of streams.entries())
    for (const target of remaining(change)) await inPlace(`streams[${index}]`, changeStreams(platform, target, change))
}

const setLayout = (platform: Platform, target: Target, { layout }: LayoutChange) =>
  'archiveId' in target
    ? platform.setArchiveLayout({ ...target, ...layout })
    : platform.setBroadcastLayout({ ...target, ...layout })

function changeStreams(platform: Platform, target: Target, change: StreamsChange) {
  const { addStream = '', removeStream, hasAudio = true, hasVideo = true } = change
  const body = removeStream === undefined ? { addStream, hasAudio, hasVideo } : { removeStream }
  return 'archiveId' in target
    ? platform.changeArchiveStreams({ ...target, ...body })
    : platform.changeBroadcastStreams({ ...target, ...body })
}

async function inPlace(path: string, change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    const problem = platformProblem(error)
    if (!problem) throw error
    const detail = 'Not every change was made; see problems. Those before it were: ask for all of them again.'
    throw new ApiProblem(problem.status, detail, [{ path, message: problem.words }])
  }
}
