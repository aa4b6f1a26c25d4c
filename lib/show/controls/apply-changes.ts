import type { Services } from '../../services.ts'
import type { LayoutChange, PendingChanges } from '../document/orders/changes.ts'
import { type ComposedResources, composedResources, partsIn } from '../run/composed-resources.ts'
import { isLive, isRecording } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import type { TimelineEvent } from '../state/timeline-events.ts'

/** Changes of layouts and streams. */
export type Changes = Pick<PendingChanges, 'layouts' | 'streams'>

/** The recording or broadcast that a change applies to. */
export interface Composed {
  readonly recording?: string | undefined
  readonly broadcast?: string | undefined
}

/** Returns a change's recording or broadcast for a message. */
export const changeTitleOf = ({ recording, broadcast }: Composed): string =>
  recording === undefined ? `the broadcast ${broadcast}` : `the recording ${recording}`

/** Thrown when the platform did not make one of several changes; those before it were made. */
export class ChangeFailedError extends Error {
  override readonly name = 'ChangeFailedError'
  /** Path of the change, such as `layouts[2]`. */
  readonly path: string
  readonly index: number

  constructor(path: string, index: number, cause: unknown) {
    super(`${path} was not made.`, { cause })
    this.path = path
    this.index = index
  }
}

interface Target {
  readonly kind: keyof ComposedResources
  readonly name: string
  readonly id: string
}
interface Change {
  readonly of: Composed
  readonly path: string
  readonly make: (target: Target) => Promise<unknown>
}

const runningIn = (state: ShowState): Target[] =>
  partsIn(state)
    .filter((part) => (part.kind === 'recordings' ? isRecording(part) && !part.stoppedAt : isLive(part)))
    .flatMap(({ kind, name, id }) => (id ? { kind, name, id } : []))

/** Returns the running parts that a change applies to: two of them while one takes over from the other. */
export const targetsOf = ({ recording, broadcast }: Composed, state: ShowState): Target[] =>
  runningIn(state).filter(({ kind, name }) => name === (kind === 'recordings' ? recording : broadcast))

/** Returns the ids of all archives and broadcasts that changes can apply to. */
export const runningIds = (state: ShowState): string[] => runningIn(state).map(({ id }) => id)

/** The state of a list of changes. */
export interface Progress {
  readonly state: ShowState
  /** Number of changes that were made before. @default 0 */
  readonly from?: number
  /** Ids of archives and broadcasts in which all changes are made already. */
  readonly leaveOut?: readonly string[]
  /** Milliseconds since the epoch after which no change is begun. @default Infinity */
  readonly until?: number
  /** Is called when the platform has answered a change. */
  readonly onMade?: (change: Composed) => void
}

/**
 * Makes changes one after another; each sets a value, so repeating is harmless. @returns how many are made so far
 * @throws {@link ChangeFailedError} at the first change that the platform does not make
 */
export async function applyChanges(
  services: Pick<Services, 'platform' | 'clock'>,
  changes: Changes,
  { state, from = 0, leaveOut = [], until = Number.POSITIVE_INFINITY, onMade }: Progress,
): Promise<number> {
  const all = changesOf(changes, composedResources(await services.platform()))
  for (const [index, { of, path, make }] of all.entries()) {
    if (index < from) continue
    if (services.clock.now() >= until) return index
    for (const target of targetsOf(of, state).filter(({ id }) => !leaveOut.includes(id)))
      await make(target).catch((cause: unknown) => {
        throw new ChangeFailedError(path, index, cause)
      })
    onMade?.(of)
  }
  return all.length
}

const changesOf = ({ layouts, streams }: Changes, resources: ComposedResources): Change[] => [
  ...layouts.map((of, index) => ({
    of,
    path: `layouts[${index}]`,
    make: ({ kind, id }: Target) => resources[kind].setLayout(id, of.layout),
  })),
  ...streams.map(({ addStream = '', removeStream, hasAudio = true, hasVideo = true, ...of }, index) => ({
    of,
    path: `streams[${index}]`,
    make: ({ kind, id }: Target) =>
      resources[kind].changeStreams(
        id,
        removeStream === undefined ? { addStream, hasAudio, hasVideo } : { removeStream },
      ),
  })),
]

/** Returns the parts with their last changed layout, which the next parts start with. */
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
export const eventsOfChanges = (
  { layouts, streams }: Changes,
  plannedEndAt: string | undefined,
): readonly Omit<TimelineEvent, 'id'>[] => [
  ...entriesOf('control.layout', layouts, (one) => `The layout of ${changeTitleOf(one)} is ${one.layout.type}.`),
  ...entriesOf('control.streams', streams, ({ addStream, removeStream, ...of }) =>
    removeStream
      ? `The stream ${removeStream} was removed from ${changeTitleOf(of)}.`
      : `The stream ${addStream} was added to ${changeTitleOf(of)}.`,
  ),
  ...(plannedEndAt ? [{ what: 'control.duration' as const, detail: `The show ends at ${plannedEndAt}.` }] : []),
]

/** Returns one entry for each name, because a timeline distinguishes the entries of one control by their names. */
function entriesOf<One extends Composed>(
  what: 'control.layout' | 'control.streams',
  changes: readonly One[],
  describe: (change: One) => string,
) {
  const named = Map.groupBy(changes, ({ recording, broadcast }) => recording ?? broadcast ?? '')
  return [...named].map(([name, ofOne]) => ({ what, name, detail: ofOne.map(describe).join(' ') }))
}
