import type { PlatformClient } from '../../platform/client/client.ts'
import type { Services } from '../../services.ts'
import type { LayoutChange, PendingChanges, StreamsChange } from '../document/orders/changes.ts'
import { isLive, isRecording } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import type { TimelineEvent } from '../state/timeline-events.ts'

export type Changes = Pick<PendingChanges, 'layouts' | 'streams'>

/** Which recording or broadcast a change is about. */
export interface Composed {
  readonly recording?: string | undefined
  readonly broadcast?: string | undefined
}

/** How a change's recording or broadcast is called in words. */
export const titleOf = ({ recording, broadcast }: Composed): string =>
  recording === undefined ? `the broadcast ${broadcast}` : `the recording ${recording}`

/** Thrown when the platform did not make one of several changes; those before it were made. */
export class ChangeFailedError extends Error {
  override readonly name = 'ChangeFailedError'
  /** Of the change, such as `layouts[2]`. */
  readonly path: string
  readonly index: number

  constructor(path: string, index: number, cause: unknown) {
    super(`${path} was not made.`, { cause })
    this.path = path
    this.index = index
  }
}

type Target = { readonly archiveId: string } | { readonly broadcastId: string }
type Change = { readonly of: Composed; readonly path: string; readonly make: (target: Target) => Promise<unknown> }

/** Returns the running parts of what a change is about; two of them while one takes over from the other. */
export const targetsOf = ({ recording, broadcast }: Composed, state: ShowState): Target[] =>
  recording === undefined
    ? broadcastsIn(state).flatMap(({ name, broadcastId }) => (name === broadcast ? { broadcastId } : []))
    : archivesIn(state).flatMap(({ name, archiveId }) => (name === recording ? { archiveId } : []))

const broadcastsIn = ({ broadcasts }: ShowState) =>
  broadcasts.flatMap(({ name, broadcastId, status }) =>
    broadcastId && isLive({ status }) ? { name, broadcastId } : [],
  )
const archivesIn = ({ recordings }: ShowState) =>
  recordings.flatMap(({ name, archiveId, status, stoppedAt }) =>
    archiveId && isRecording({ status }) && !stoppedAt ? { name, archiveId } : [],
  )

/** Returns the ids of all archives and broadcasts that changes can be about. */
export const runningIds = (state: ShowState): string[] => [
  ...archivesIn(state).map(({ archiveId }) => archiveId),
  ...broadcastsIn(state).map(({ broadcastId }) => broadcastId),
]

const idOf = (target: Target) => ('archiveId' in target ? target.archiveId : target.broadcastId)

export interface Making {
  readonly state: ShowState
  /** How many were made before. @default 0 */
  readonly from?: number
  /** Ids of archives and broadcasts in which they are made already. */
  readonly leaveOut?: readonly string[]
  /** Milliseconds since the epoch: none is begun later. */
  readonly until?: number
}

/**
 * Makes changes, one after another; each sets something, so that it may be made again.
 * @returns how many are made by now
 * @throws {@link ChangeFailedError} at the first that the platform does not make
 */
export async function applyChanges(
  changes: Changes,
  { state, from = 0, leaveOut = [], until = Number.POSITIVE_INFINITY }: Making,
  services: Pick<Services, 'platform' | 'clock'>,
): Promise<number> {
  const all = changesOf(changes, await services.platform())
  for (const [index, { of, path, make }] of all.entries()) {
    if (index < from) continue
    if (services.clock.now() >= until) return index
    for (const target of targetsOf(of, state).filter((one) => !leaveOut.includes(idOf(one))))
      await make(target).catch((cause: unknown) => {
        throw new ChangeFailedError(path, index, cause)
      })
  }
  return all.length
}

const changesOf = ({ layouts, streams }: Changes, platform: PlatformClient): Change[] => [
  ...layouts.map((of, index) => ({
    ...{ of, path: `layouts[${index}]` },
    make: (target: Target) => setLayout(platform, target, of),
  })),
  ...streams.map((of, index) => ({
    ...{ of, path: `streams[${index}]` },
    make: (target: Target) => changeStreams(platform, target, of),
  })),
]

const setLayout = (platform: PlatformClient, target: Target, { layout }: LayoutChange) =>
  'archiveId' in target
    ? platform.setArchiveLayout({ ...target, ...layout })
    : platform.setBroadcastLayout({ ...target, ...layout })

function changeStreams(platform: PlatformClient, target: Target, change: StreamsChange): Promise<unknown> {
  const { addStream = '', removeStream, hasAudio = true, hasVideo = true } = change
  const body = removeStream === undefined ? { addStream, hasAudio, hasVideo } : { removeStream }
  return 'archiveId' in target
    ? platform.changeArchiveStreams({ ...target, ...body })
    : platform.changeBroadcastStreams({ ...target, ...body })
}

/** Notes layouts for the parts to come, which begin with the one that was asked for last. */
export function withLayouts({ layouts }: Changes, { recordings, broadcasts }: ShowState) {
  const withLayout = <Entry>(entry: Entry, layout: LayoutChange['layout'] | undefined) =>
    layout ? { ...entry, layout } : entry
  const layoutOf = (of: 'recording' | 'broadcast', name: string) => layouts.findLast((one) => one[of] === name)?.layout
  return {
    recordings: recordings.map((one) => withLayout(one, layoutOf('recording', one.name))),
    broadcasts: broadcasts.map((one) => withLayout(one, layoutOf('broadcast', one.name))),
  }
}

/** Describes changes that were made, for the timeline. */
export const happenedBy = (
  { layouts, streams }: Changes,
  plannedEndAt: string | undefined,
): readonly Omit<TimelineEvent, 'id'>[] => [
  ...entriesOf('control.layout', layouts, (one) => `The layout of ${titleOf(one)} is ${one.layout.type}.`),
  ...entriesOf('control.streams', streams, ({ addStream, removeStream, ...of }) =>
    removeStream
      ? `The stream ${removeStream} was removed from ${titleOf(of)}.`
      : `The stream ${addStream} was added to ${titleOf(of)}.`,
  ),
  ...(plannedEndAt ? [{ what: 'control.duration' as const, detail: `The show ends at ${plannedEndAt}.` }] : []),
]

/** One for each name, since that is what a timeline tells entries of one control apart by. */
function entriesOf<One extends Composed>(
  what: 'control.layout' | 'control.streams',
  changes: readonly One[],
  inWords: (change: One) => string,
) {
  const named = Map.groupBy(changes, ({ recording, broadcast }) => recording ?? broadcast ?? '')
  return [...named].map(([name, ofOne]) => ({ what, name, detail: ofOne.map(inWords).join(' ') }))
}
