import { LayoutError } from '../../../lib/platform/layouts/layout-error.ts'
import { arrangeStreams, type Layout, type Placement } from '../../../lib/platform/layouts/layouts.ts'
import type { ListedStream, Show } from '../answers.ts'
import { type Output, targetOf } from '../controls/control-state.ts'
import { partLabel } from '../labels.ts'

/** A layout that is prepared, with the layout classes that it changes. */
export interface NextLayout {
  readonly layout: Layout
  /** New layout classes by the id of their stream. */
  readonly classes: ReadonlyMap<string, readonly string[]>
}

/** A stream as layouts place it. */
export type PlacedStream = Pick<ListedStream, 'streamId' | 'name'> & Parameters<typeof arrangeStreams>[1][number]

/** The places of streams in a picture, or the reason why it cannot be drawn. */
export interface DrawnLayout {
  readonly places: readonly Placement<PlacedStream>[]
  readonly problem?: string
}

/** Layout class of the stream with the focus, in the layouts that have one. */
const PROMINENT: Readonly<Record<string, string>> = {
  pip: 'full',
  verticalPresentation: 'focus',
  horizontalPresentation: 'focus',
}

/** Returns the streams with the layout classes that they will have. */
export const placedStreams = (
  streams: readonly ListedStream[],
  classes: NextLayout['classes'],
): readonly PlacedStream[] =>
  streams.map(({ streamId, name, scene, dialIn, videoType, layoutClasses }) => ({
    streamId,
    name: name || scene || dialIn || 'Without a name',
    videoType: videoType === 'screen' ? 'screen' : 'camera',
    layoutClasses: classes.get(streamId) ?? layoutClasses,
  }))

/** Arranges streams in a picture of a size. */
export function drawLayout(
  layout: Layout,
  streams: readonly PlacedStream[],
  [width, height]: Output['size'],
): DrawnLayout {
  if (layout.type === 'custom' && !layout.stylesheet?.trim())
    return { places: [], problem: 'Write a stylesheet, such as: stream { float: left; width: 50%; height: 100% }' }
  try {
    const places = arrangeStreams(layout, streams, width, height)
    const hidden = streams.filter(
      ({ streamId }) =>
        !places.some(({ stream, cell }) => stream.streamId === streamId && cell.width > 0 && cell.height > 0),
    )
    const isHidden = layout.type === 'custom' && hidden.length > 0
    return { places, ...(isHidden && { problem: `Not visible: ${hidden.map(({ name }) => name).join(', ')}.` }) }
  } catch (error) {
    if (!(error instanceof LayoutError)) throw error
    return { places: [], problem: error.message }
  }
}

/** Returns whether streams of a layout can change their places: those of a grid are in the order of publishing. */
export const hasPlaces = ({ type }: Layout): boolean => type === 'custom' || PROMINENT[type] !== undefined

/**
 * Returns the layout classes after a stream was moved to the place of another one. By a stylesheet, both exchange their
 * classes. In other layouts only the large place can be given: to the moved stream, or to the other one if the moved stream
 * has it. Returns undefined for an exchange that layout classes cannot express.
 */
export function exchangePlaces(
  { type }: Layout,
  streams: readonly PlacedStream[],
  [moved, other]: readonly [string, string],
): NextLayout['classes'] | undefined {
  const classesOf = (id: string) => streams.find(({ streamId }) => streamId === id)?.layoutClasses ?? []
  const prominent = PROMINENT[type]
  if (prominent === undefined)
    return new Map([
      [moved, classesOf(other)],
      [other, classesOf(moved)],
    ])
  const first = arrangeStreams({ type }, streams, 32, 18)[0]?.stream.streamId
  if (moved !== first && other !== first) return undefined
  const focused = first === moved ? other : moved
  const without = (classes: readonly string[]) => classes.filter((name) => name !== prominent)
  return new Map(
    streams
      .filter(({ streamId, layoutClasses }) => streamId === focused || layoutClasses.includes(prominent))
      .map(({ streamId, layoutClasses }) => [
        streamId,
        streamId === focused ? [...without(layoutClasses), prominent] : without(layoutClasses),
      ]),
  )
}

/** Returns the changes that take a layout in some outputs. */
export const layoutChanges = (layout: Layout, outputs: readonly Output[]) =>
  outputs.map((output) => ({ ...targetOf(output), layout }))

/** Returns the place of a moment in each of some recordings, such as `program at 0:12.4`. @param at ISO 8601 */
export function placesInRecordings(
  { recordings }: Pick<Show, 'recordings'>,
  outputs: readonly Output[],
  at: string,
): readonly string[] {
  const moment = Date.parse(at)
  return outputs.flatMap(({ kind, name }) => {
    const part = recordings.findLast(
      (one) => one.name === name && one.createdAt !== undefined && Date.parse(one.createdAt) <= moment,
    )
    if (kind !== 'recording' || part?.createdAt === undefined) return []
    return `${partLabel(part)} at ${preciseTime(moment - Date.parse(part.createdAt))}`
  })
}

/** Formats milliseconds to a hundredth of a second: `1:02:03.45`. */
function preciseTime(milliseconds: number): string {
  const hundredths = Math.round(milliseconds / 10)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, seconds] = [
    Math.floor(hundredths / 360_000),
    Math.floor(hundredths / 6_000) % 60,
    Math.floor(hundredths / 100) % 60,
  ]
  const clock = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
  return `${clock}.${two(hundredths % 100)}`
}
