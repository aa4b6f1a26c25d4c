import type { IndividualArchive, IndividualStream } from '../individual/individual-archive.ts'
import { arrange, fit, type Rect } from './grid.ts'

export const FRAMES_PER_SECOND = 30
/** Pieces begin at keyframes, which come every two seconds. */
export const KEYFRAME_FRAMES = 2 * FRAMES_PER_SECOND
/** As many as the platform composes. */
const MAX_PICTURES = 16
const MAX_VOICES = 50

/** What a composite is made of and where all is drawn: follows from the archive alone. */
export interface CompositePlan {
  readonly width: number
  readonly height: number
  /** From the recording's begin to its last stop, 30 in a second. */
  readonly frames: number
  readonly pictures: readonly PlannedPicture[]
  readonly voices: readonly IndividualStream[]
  /** A sentence for each stream that cannot be shown or heard all the time that it was there. */
  readonly problems: readonly string[]
}

/** A stream that is seen. */
export interface PlannedPicture {
  readonly stream: IndividualStream
  /** In their order, none at the same time as another. */
  readonly places: readonly Place[]
}

/** Where a picture is drawn in the frames from `start` up to, not including, `end`. */
export interface Place extends Rect {
  readonly start: number
  readonly end: number
}

export interface CompositeSize {
  /** In pixels, even. */
  readonly width: number
  readonly height: number
}

/** Codecs that every ffmpeg in use decodes, and that WebRTC sends. */
const PICTURE_CODECS: readonly string[] = ['vp8', 'vp9', 'avc']
const VOICE_CODEC = 'opus'

/**
 * Plans a composite of an archive's streams: those that are there at a time share the frame in a grid, in the order in which
 * they came; screens are larger. At most 16 are seen and 50 heard at once.
 */
export function planComposite(archive: IndividualArchive, { width, height }: CompositeSize): CompositePlan {
  const hasPicture = ({ video }: IndividualStream) => video !== null && PICTURE_CODECS.includes(video.codec)
  const hasVoice = ({ audio }: IndividualStream) => audio?.codec === VOICE_CODEC
  const seen = atMost(MAX_PICTURES, archive.streams.filter(hasPicture).toSorted(screensFirst))
  const heard = atMost(MAX_VOICES, archive.streams.filter(hasVoice))
  const ends = archive.streams.map(({ stop }) => frameAt(stop))
  return {
    width,
    height,
    frames: Math.max(0, ...ends),
    pictures: placeAll(seen.chosen, { x: 0, y: 0, width, height }),
    voices: heard.chosen,
    problems: [
      ...archive.streams.flatMap(({ file, video, audio }) => [
        ...(video && !PICTURE_CODECS.includes(video.codec)
          ? [`${file} is not seen: its video is ${video.codec}, composites take ${PICTURE_CODECS.join(', ')}.`]
          : []),
        ...(audio && audio.codec !== VOICE_CODEC
          ? [`${file} is not heard: its audio is ${audio.codec}, composites take ${VOICE_CODEC}.`]
          : []),
      ]),
      ...seen.left.map(({ file }) => `${file} is not seen: ${MAX_PICTURES} others are there at the same time.`),
      ...heard.left.map(({ file }) => `${file} is not heard: ${MAX_VOICES} others are there at the same time.`),
    ],
  }
}

export const frameAt = (seconds: number) => Math.round(seconds * FRAMES_PER_SECOND)

const screensFirst = (one: IndividualStream, other: IndividualStream) =>
  Number(other.videoType === 'screen') - Number(one.videoType === 'screen')

/** Leaves out who comes while as many others are there already. */
function atMost(bound: number, streams: readonly IndividualStream[]) {
  const chosen: IndividualStream[] = []
  const left: IndividualStream[] = []
  for (const stream of streams) {
    const others = chosen.filter(({ start, stop }) => start < stream.stop && stop > stream.start)
    const isCrowded = [stream, ...others].some(
      ({ start: time }) =>
        time >= stream.start && others.filter(({ start, stop }) => start <= time && time < stop).length >= bound,
    )
    if (isCrowded) left.push(stream)
    else chosen.push(stream)
  }
  return { chosen, left }
}

/** Goes from each coming and going to the next. */
function placeAll(streams: readonly IndividualStream[], frame: Rect): PlannedPicture[] {
  const places = new Map<IndividualStream, Place[]>(streams.map((stream) => [stream, []]))
  const changes = [...new Set(streams.flatMap(({ start, stop }) => [frameAt(start), frameAt(stop)]))]
  changes.sort((one, other) => one - other)
  for (const [index, start] of changes.slice(0, -1).entries()) {
    const end = changes[index + 1] as number
    const present = streams.filter((stream) => frameAt(stream.start) <= start && frameAt(stream.stop) >= end)
    const screens = present.filter(({ videoType }) => videoType === 'screen')
    const others = present.filter(({ videoType }) => videoType !== 'screen')
    const cells = arrange(frame, screens.length, others.length)
    for (const [group, rects] of [[screens, cells.screens] as const, [others, cells.others] as const])
      for (const [nth, stream] of group.entries())
        prolong(places.get(stream) ?? [], { start, end, ...fit(rects[nth] as Rect, shapeOf(stream)) })
  }
  return streams.map((stream) => ({ stream, places: places.get(stream) ?? [] }))
}

const shapeOf = ({ video }: IndividualStream) => (video && video.height > 0 ? video.width / video.height : 16 / 9)

/** Whoever stays where it is keeps its place. */
function prolong(places: Place[], next: Place): void {
  const last = places.at(-1)
  const stays = last && last.end === next.start && isSameRect(last, next)
  if (stays) places[places.length - 1] = { ...last, end: next.end }
  else places.push(next)
}

const isSameRect = (one: Rect, other: Rect) =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height
