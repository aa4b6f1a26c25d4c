import type { Clock } from '../../lib/clock.ts'
import { platformProblem } from '../../lib/services/platform-problems.ts'
import type { Services } from '../../lib/services/services.ts'
import { broadcastOrderOf } from '../../lib/services/starting.ts'
import type { ControlBody } from '../../lib/workflow/controls.ts'
import type { ShowState } from '../../lib/workflow/documents/state.ts'
import type { Show } from '../../lib/workflow/show.ts'
import { control, type Done } from './control.ts'
import { askedEnd, problemsOfEnd } from './planned-end.ts'
import { ApiProblem, type Detail } from './problem.ts'
import type { ApiEvent } from './request.ts'
import { isRunning } from './running.ts'

type Change = ControlBody<'change'>
type Platform = Awaited<ReturnType<Services['platform']>>

/**
 * `PATCH /shows/{id}`: moves the end of a live show, changes layouts and streams. All of it is checked before any of it is
 * done; each change sets something, so that it may be asked for again when one of them fails.
 */
export const patchShow = (event: ApiEvent, services: Services) =>
  control(event, services, {
    name: 'change',
    async carryOut(state, change) {
      const { show } = await services.shows.request(state.showId)
      const end = askedEnd(change, state)
      const path = change.duration === undefined ? 'endsAt' : 'duration'
      const problems = [
        ...(end === undefined ? [] : await problemsOfEnd(end, path, state, services)),
        ...change.layouts.flatMap((one, index) => problemsOfLayout(one, `layouts[${index}]`, state, show)),
        ...change.streams.flatMap((one, index) => problemsOfStreams(one, `streams[${index}]`, state, show)),
      ]
      if (problems.length > 0) throw new ApiProblem(409, 'The show does not allow this; see problems.', problems)
      await apply(change, state, services)
      return done(change, end, services.clock)
    },
  })

interface Composed {
  readonly recording?: string | undefined
  readonly broadcast?: string | undefined
}

/** The running parts of what a change is about; two of them while one takes over from the other. */
const partsOf = ({ recording, broadcast }: Composed, { recordings, broadcasts }: ShowState) =>
  recording === undefined
    ? broadcasts.filter((one) => one.name === broadcast && isRunning(one))
    : recordings.filter((one) => one.name === recording && isRunning(one))

const nameOf = ({ recording, broadcast }: Composed) =>
  recording === undefined ? `the broadcast ${broadcast}` : `the recording ${recording}`

const orderOf = ({ recording, broadcast = '' }: Composed, state: ShowState, { recordings, broadcasts }: Show) =>
  recording === undefined
    ? broadcastOrderOf(broadcast, broadcasts, state)
    : recordings.find(({ name }) => name === recording)

function problemsOfParts(change: Composed, path: string, state: ShowState, show: Show): Detail[] {
  if (!orderOf(change, state, show))
    return [{ path, message: `is about ${nameOf(change)}, which the show does not have` }]
  if (partsOf(change, state).length > 0) return []
  return [{ path, message: `is about ${nameOf(change)}, which does not run` }]
}

function problemsOfLayout(change: Change['layouts'][number], path: string, state: ShowState, show: Show): Detail[] {
  const order = orderOf(change, state, show)
  if (order && 'outputMode' in order && order.outputMode !== 'composed')
    return [{ path: `${path}.layout`, message: `is only for outputMode composed, and not for ${nameOf(change)}` }]
  return problemsOfParts(change, path, state, show)
}

function problemsOfStreams(change: Change['streams'][number], path: string, state: ShowState, show: Show): Detail[] {
  const order = orderOf(change, state, show)
  if (order && order.streamMode !== 'manual')
    return [{ path, message: `is only for streamMode manual: ${nameOf(change)} takes every stream by itself` }]
  return problemsOfParts(change, path, state, show)
}

async function apply({ layouts, streams }: Change, state: ShowState, services: Services): Promise<void> {
  if (layouts.length + streams.length === 0) return
  const platform = await services.platform()
  for (const [index, { layout, ...of }] of layouts.entries())
    await inPlace(`layouts[${index}]`, async () => {
      for (const part of partsOf(of, state))
        await ('archiveId' in part
          ? platform.setArchiveLayout({ archiveId: String(part.archiveId), ...layout })
          : platform.setBroadcastLayout({ broadcastId: idOf(part), ...layout }))
    })
  for (const [index, change] of streams.entries())
    await inPlace(`streams[${index}]`, async () => {
      for (const part of partsOf(change, state)) await changeStreams(platform, part, change)
    })
}

const idOf = (part: object) => String((part as { broadcastId?: string }).broadcastId)

async function changeStreams(platform: Platform, part: object, change: Change['streams'][number]): Promise<void> {
  const { addStream, removeStream, hasAudio, hasVideo } = change
  const body = removeStream
    ? { removeStream }
    : {
        addStream: String(addStream),
        ...(hasAudio !== undefined && { hasAudio }),
        ...(hasVideo !== undefined && { hasVideo }),
      }
  await ('archiveId' in part
    ? platform.changeArchiveStreams({ archiveId: String(part.archiveId), ...body })
    : platform.changeBroadcastStreams({ broadcastId: idOf(part), ...body }))
}

/** Says of which change the platform has failed. */
async function inPlace(path: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    const problem = platformProblem(error)
    if (!problem) throw error
    const detail = 'Not every change was made; see problems. Those before it were: ask for all of them again.'
    throw new ApiProblem(problem.status, detail, [{ path, message: problem.words }])
  }
}

function done({ layouts, streams }: Change, end: number | undefined, clock: Clock): Done {
  const layoutOf = (of: 'recording' | 'broadcast', name: string) => layouts.findLast((one) => one[of] === name)?.layout
  const plannedEndAt = end === undefined ? undefined : new Date(end).toISOString()
  return {
    happened: [
      ...entriesOf('control.layout', layouts, (one) => `The layout of ${nameOf(one)} is ${one.layout.type}.`),
      ...entriesOf('control.streams', streams, streamsInWords),
      ...(plannedEndAt ? [{ what: 'control.duration' as const, detail: `The show ends at ${plannedEndAt}.` }] : []),
    ],
    change(state) {
      if (plannedEndAt) refuseEnded(state, clock.now())
      return {
        ...state,
        ...(plannedEndAt && { plannedEndAt }),
        recordings: state.recordings.map((one) => withLayout(one, layoutOf('recording', one.name))),
        broadcasts: state.broadcasts.map((one) => withLayout(one, layoutOf('broadcast', one.name))),
      }
    },
  }
}

/** Once its time is up, or it was asked to stop, its machine may have seen so already. */
function refuseEnded({ showId, plannedEndAt = '', stopAskedAt, endedAt }: ShowState, now: number): void {
  if (stopAskedAt || endedAt || Date.parse(plannedEndAt) <= now)
    throw new ApiProblem(409, `The show ${showId} has come to its end meanwhile, which cannot be moved any more.`)
}

/** One for each name, since that is what a timeline tells entries of one control apart by. */
function entriesOf<One extends Composed>(
  what: 'control.layout' | 'control.streams',
  changes: readonly One[],
  inWords: (change: One) => string,
): Done['happened'] {
  const named = Map.groupBy(changes, ({ recording, broadcast }) => recording ?? broadcast ?? '')
  return [...named].map(([name, ofOne]) => ({ what, name, detail: ofOne.map(inWords).join(' ') }))
}

const withLayout = <Entry>(entry: Entry, layout: Change['layouts'][number]['layout'] | undefined): Entry =>
  layout ? { ...entry, layout } : entry

function streamsInWords({ addStream, removeStream, ...change }: Change['streams'][number]): string {
  return removeStream
    ? `The stream ${removeStream} was removed from ${nameOf(change)}.`
    : `The stream ${addStream} was added to ${nameOf(change)}.`
}
