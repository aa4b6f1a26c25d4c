import type { IndividualArchive, IndividualStream } from '../individual/individual-archive.ts'

/** Frame rate of every composite. */
export const FRAMES_PER_SECOND = 30
/** The platform's own composer has the same limits. */
const MAX_PICTURES = 16
const MAX_VOICES = 50
/** Codecs that WebRTC sends and every supported ffmpeg decodes. */
const PICTURE_CODECS: readonly string[] = ['vp8', 'vp9', 'avc']
const VOICE_CODEC = 'opus'

/** The streams of a composite and their places, computed from the archive alone. */
export interface CompositePlan extends CompositeSize {
  /** From the recording's start to its last stop, 30 per second. */
  readonly frames: number
  readonly pictures: readonly PlannedPicture[]
  readonly voices: readonly IndividualStream[]
  /** One sentence for each stream that cannot be seen or heard. */
  readonly problems: readonly string[]
}

export interface PlannedPicture {
  readonly stream: IndividualStream
  /** In order, without overlap. */
  readonly places: readonly PicturePlace[]
}

/** The place of a picture in the frames from `start` up to, not including, `end`. */
export interface PicturePlace extends Rect {
  readonly start: number
  readonly end: number
}

export interface CompositeSize {
  /** In pixels, even. */
  readonly width: number
  readonly height: number
}

/**
 * Plans a composite of an archive's streams. Streams of the same time share the frame in a grid, in the order of their start;
 * screens are larger. At most 16 are seen and 50 heard at the same time.
 */
export function planComposite(archive: IndividualArchive, { width, height }: CompositeSize): CompositePlan {
  const { streams } = archive
  const hasPicture = ({ video }: IndividualStream) => video !== null && PICTURE_CODECS.includes(video.codec)
  const hasVoice = ({ audio }: IndividualStream) => audio?.codec === VOICE_CODEC
  const seen = limit(MAX_PICTURES, streams.filter(hasPicture).toSorted(screensFirst))
  const heard = limit(MAX_VOICES, streams.filter(hasVoice))
  const unseen = streams.filter((stream) => stream.video && !hasPicture(stream))
  const unheard = streams.filter((stream) => stream.audio && !hasVoice(stream))
  const [pictures, voices] = [`composites take ${PICTURE_CODECS.join(', ')}`, `composites take ${VOICE_CODEC}`]
  return {
    width,
    height,
    frames: Math.max(0, ...streams.map(({ stop }) => compositeFrameAt(stop))),
    pictures: placeAll(seen.chosen, { x: 0, y: 0, width, height }),
    voices: heard.chosen,
    problems: [
      ...unseen.map(({ file, video }) => `${file} is not seen: its video is ${video?.codec}, ${pictures}.`),
      ...unheard.map(({ file, audio }) => `${file} is not heard: its audio is ${audio?.codec}, ${voices}.`),
      ...seen.left.map(({ file }) => `${file} is not seen: ${MAX_PICTURES} others are there at the same time.`),
      ...heard.left.map(({ file }) => `${file} is not heard: ${MAX_VOICES} others are there at the same time.`),
    ],
  }
}

export const compositeFrameAt = (seconds: number) => Math.round(seconds * FRAMES_PER_SECOND)

const isScreen = ({ videoType }: IndividualStream) => videoType === 'screen'
const screensFirst = (one: IndividualStream, other: IndividualStream) => Number(isScreen(other)) - Number(isScreen(one))

/** Leaves out a stream that begins while `bound` others are there. */
function limit(bound: number, streams: readonly IndividualStream[]) {
  const chosen: IndividualStream[] = []
  const left: IndividualStream[] = []
  for (const stream of streams) {
    const others = chosen.filter(({ start, stop }) => start < stream.stop && stop > stream.start)
    const starts = [stream, ...others].map(({ start }) => start).filter((time) => time >= stream.start)
    const isCrowded = starts.some(
      (time) => others.filter((one) => one.start <= time && time < one.stop).length >= bound,
    )
    ;(isCrowded ? left : chosen).push(stream)
  }
  return { chosen, left }
}

/** Places streams of which screens are the first. */
function placeAll(streams: readonly IndividualStream[], frame: Rect): PlannedPicture[] {
  const pictures = streams.map((stream) => ({ stream, places: [] as PicturePlace[] }))
  const changes = [...new Set(streams.flatMap(({ start, stop }) => [compositeFrameAt(start), compositeFrameAt(stop)]))]
  changes.sort((one, other) => one - other)
  for (const [index, start] of changes.slice(0, -1).entries()) {
    const end = changes[index + 1] as number
    const present = pictures.filter(
      ({ stream }) => compositeFrameAt(stream.start) <= start && compositeFrameAt(stream.stop) >= end,
    )
    const screens = present.filter(({ stream }) => isScreen(stream)).length
    const cells = arrange(frame, screens, present.length - screens)
    for (const [nth, { stream, places }] of present.entries())
      extend(places, { start, end, ...fit(cells[nth] as Rect, shapeOf(stream)) })
  }
  return pictures
}

const shapeOf = ({ video }: IndividualStream) => (video && video.height > 0 ? video.width / video.height : 16 / 9)

/** Adds a place, or prolongs the last one when the picture stays there. */
function extend(places: PicturePlace[], next: PicturePlace): void {
  const last = places.at(-1)
  const isSameRect = (['x', 'y', 'width', 'height'] as const).every((side) => last?.[side] === next[side])
  if (last?.end === next.start && isSameRect) places[places.length - 1] = { ...last, end: next.end }
  else places.push(next)
}

/** In pixels; all are even, as 4:2:0 needs them. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Width by height of the picture that cells are sized for. */
const USUAL_SHAPE = 16 / 9
/** The share of the width that screens have beside cameras. */
const SCREENS_SHARE = 3 / 4

/** Arranges the screens and then the other pictures of one moment: screens are large at the left where there are both. */
export function arrange(frame: Rect, screens: number, others: number): Rect[] {
  if (screens === 0 || others === 0) return grid(frame, screens + others)
  const width = even(frame.width * SCREENS_SHARE)
  const right = { ...frame, x: frame.x + width, width: frame.width - width }
  return [...grid({ ...frame, width }, screens), ...grid(right, others)]
}

/** Divides a frame into cells of one size, with the number of columns that shows the usual picture largest. Centres the last row. */
export function grid(frame: Rect, count: number): Rect[] {
  const sizes = Array.from({ length: count }, (_, index) => {
    const [columns, rows] = [index + 1, Math.ceil(count / (index + 1))]
    const cell = { width: even(frame.width / columns), height: even(frame.height / rows) }
    return { columns, rows, ...cell, shown: Math.min(cell.width, cell.height * USUAL_SHAPE) }
  })
  const best = sizes.toSorted((one, other) => one.shown - other.shown).at(-1)
  if (!best) return []
  const { columns, rows, width, height } = best
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns)
    const inRow = row === rows - 1 ? count - row * columns : columns
    const left = even((frame.width - inRow * width) / 2)
    const top = even((frame.height - rows * height) / 2)
    return { x: frame.x + left + (index % columns) * width, y: frame.y + top + row * height, width, height }
  })
}

/** Returns the largest picture of this shape, in the middle of a cell. */
function fit({ x, y, width, height }: Rect, shape: number): Rect {
  const fitted = {
    width: Math.max(2, Math.min(width, even(height * shape))),
    height: Math.max(2, Math.min(height, even(width / shape))),
  }
  return { x: x + even((width - fitted.width) / 2), y: y + even((height - fitted.height) / 2), ...fitted }
}

const even = (pixels: number) => 2 * Math.floor(pixels / 2)
