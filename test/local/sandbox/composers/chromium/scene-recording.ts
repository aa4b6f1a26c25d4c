import type { Picture } from '../../../../../local/sandbox/media/composing/picture.ts'
import { readTimecode, TIMECODE_FIELDS, TIMECODE_ROUND } from '../../../../../local/sandbox/media/pattern/timecode.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_SECOND } from '../../../../../local/sandbox/media/timebase.ts'

/** What a recording contains of `examples/scene`, which fills its frame. */
export interface SceneRecording {
  /** Frames whose timecode can be read: the frame in the recording, and the number that it shows. */
  readonly shown: readonly { readonly frame: number; readonly number: number }[]
  /** Seconds of the recording at which beeps begin. */
  readonly beeps: readonly number[]
  /** Seconds from drawing to showing a picture; the least of all, since a busy machine shows pictures late but none early. */
  readonly pictureDelay: number
  /** Seconds by which beeps are later than pictures of their time; the median. */
  readonly audioDelay: number
}

/** Places in `scene.css`: the fields are between 4 and 96 % of the width, 3 % of the width high, 6 % above the bottom. */
const FIELDS = { left: 0.04, width: 0.92, height: 0.03, bottom: 0.94 } as const
/** Mean of a millisecond of samples; a beep has about 6,000. */
const LOUD = 3_000
/** Seconds: no picture is so late, so that its timecode was misread. */
const MISREAD = 60
/** Milliseconds of silence before a beep. */
const SILENCE = 300

/** @param startedAt milliseconds since the epoch at which the recording starts */
export function readScene(pictures: readonly Picture[], audio: Int16Array, startedAt: number): SceneRecording {
  const shown = pictures.flatMap((picture, frame) => {
    const number = numberIn(picture)
    return number === undefined ? [] : [{ frame, number }]
  })
  const beeps = beepsIn(audio)
  const start = startedAt / 1000
  // A number is that of the last frame that had begun.
  const delays = shown.map(({ frame, number }) =>
    toRound(start + frame / FRAMES_PER_SECOND - (number + 0.5) / FRAMES_PER_SECOND),
  )
  const pictureDelay = Math.min(...delays.filter((delay) => delay > 0 && delay < MISREAD))
  const audioDelay = median(beeps.map((at) => toSecond(start + at - pictureDelay)))
  return { shown, beeps, pictureDelay, audioDelay }
}

function numberIn({ width, height, planes: [brightness] }: Picture): number | undefined {
  const row = Math.round(FIELDS.bottom * height - (FIELDS.height * width) / 2)
  const isWhite = (_: unknown, field: number) => {
    const column = Math.round((FIELDS.left + (FIELDS.width * (field + 0.5)) / TIMECODE_FIELDS) * width)
    return (brightness.data[row * brightness.width + column] as number) > 126
  }
  return readTimecode(Array.from({ length: TIMECODE_FIELDS }, isWhite))
}

function beepsIn(audio: Int16Array): number[] {
  const length = SAMPLES_PER_SECOND / 1000
  const isLoud = Array.from({ length: Math.floor(audio.length / length) }, (_, block) => {
    const samples = audio.subarray(block * length, (block + 1) * length)
    return samples.reduce((sum, sample) => sum + Math.abs(sample), 0) / length > LOUD
  })
  return isLoud.flatMap((loud, at) =>
    loud && !isLoud.slice(Math.max(0, at - SILENCE), at).includes(true) ? [at / 1000] : [],
  )
}

/** Returns the distance to the nearest second. Each second begins with a beep. */
const toSecond = (time: number) => time - Math.round(time)

/** Returns the distance to the nearest round of the timecode, in seconds. */
const toRound = (time: number) => {
  const round = TIMECODE_ROUND / FRAMES_PER_SECOND
  return time - Math.round(time / round) * round
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
