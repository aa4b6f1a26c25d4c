import type { Readable } from 'node:stream'
import { startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { createPicture, type Picture, type Size } from '../composing/picture.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_FRAME } from '../timebase.ts'
import { decodingArguments, pipeOf, type Track, tracksOf } from './arguments.ts'
import { createIntake } from './intake.ts'
import type { SourceFile } from './source-file.ts'

/** What a file shows in one frame; what is undefined it lacks. */
export interface Frame {
  readonly picture: Picture | undefined
  readonly audio: Int16Array | undefined
}

/** One ffmpeg that decodes a file; it decodes no further ahead than its pipes hold. */
export interface Decoder {
  /** The frame that comes next, counted from the beginning of the file. */
  readonly place: number
  /** Of its pictures; undefined where it decodes none. */
  readonly size: Size | undefined
  /** It was ended because it had given nothing for too long. */
  readonly hasStalled: boolean
  /** The next frame, valid until the next but one is read; an empty one where nothing more can be decoded. */
  read(): Promise<Frame>
  /** Ends it at once; resolves when the process is gone. */
  kill(): Promise<void>
}

/**
 * What a seek lands on is exact only from here on: the first picture may be the one after, and the first audio lacks the
 * packet before.
 */
export const RUN_UP_FRAMES = FRAMES_PER_SECOND
/** A decoder that gives nothing for so long (in real time) hangs, and would hold up all outputs. */
const MAX_STALL_MS = 10_000
/** Frames that one track may be ahead of the other. ffmpeg 7.0 pads audio that has ended far faster than it decodes pictures. */
const MAX_AHEAD_FRAMES = 5 * FRAMES_PER_SECOND
/** A track that gives nothing for so long (in real time), while the other one waits so far ahead, is lost. */
const MAX_LOSS_MS = 5_000
/** Whole tenths of a second are exact in ffmpeg's microseconds and in samples of every rate: seeking there loses none. */
const GRID_FRAMES = FRAMES_PER_SECOND / 10

export const EMPTY_FRAME: Frame = { picture: undefined, audio: undefined }

/** Starts decoding a little before a frame, at one that `place` tells: the audio, and with a size the picture. */
export function createDecoder(ffmpegPath: string, file: SourceFile, from: number, size: Size | undefined): Decoder {
  let place = Math.max(0, GRID_FRAMES * Math.floor((from - RUN_UP_FRAMES) / GRID_FRAMES))
  const tracks = tracksOf(file).filter((track) => track === 'audio' || size)
  const pipeIf = (track: Track) => (tracks.includes(track) ? 'pipe' : 'ignore')
  const args = decodingArguments(file, tracks, place, size ?? file)
  const { child, ended } = startFfmpeg(ffmpegPath, args, ['ignore', pipeIf('picture'), 'pipe', pipeIf('audio')])

  let wake = () => {}
  let isOver = false
  let hasStalled = false
  const end = () => {
    isOver = true
    wake()
  }
  ended.then(end, end)

  const createFrame = (): Frame => ({
    picture: size && createPicture(size.width, size.height),
    audio: file.hasAudio ? new Int16Array(SAMPLES_PER_FRAME) : undefined,
  })
  let [frame, before] = [createFrame(), createFrame()]
  const pipes = tracks.map((track) => child.stdio[pipeOf(track)] as Readable)
  const sizes = bytesOf(frame).map(({ length }) => length)
  const intakes = pipes.map((pipe, index) => createIntake(pipe, sizes[index] as number, () => wake()))
  const hasFrames = (count: number) => intakes.map((intake, index) => intake.has(count * (sizes[index] as number)))
  const isWhole = () => !hasFrames(1).includes(false)

  const kill = async () => {
    child.kill('SIGKILL')
    for (const pipe of pipes) pipe.destroy() // else it is not over before they have been read
    await ended.catch(() => {})
  }
  /** ffmpeg before 7.0 waits at a pipe that is full, whichever of them we wait for: so whatever is in any of them is taken in. */
  const takeIn = () => {
    const areAhead = hasFrames(MAX_AHEAD_FRAMES)
    for (const [index, intake] of intakes.entries()) intake.open(!areAhead[index])
    return areAhead.includes(true)
  }
  const untilWhole = async () => {
    let loss: NodeJS.Timeout | undefined
    const stall = setTimeout(() => {
      hasStalled = true
      void kill()
    }, MAX_STALL_MS)
    await new Promise<void>((resolve) => {
      wake = () => {
        if (takeIn()) loss ??= setTimeout(kill, MAX_LOSS_MS)
        if (isOver || isWhole()) resolve()
      }
      wake()
    })
    clearTimeout(stall)
    clearTimeout(loss)
    for (const intake of intakes) intake.open(false)
  }

  return {
    size,
    get place() {
      return place
    },
    get hasStalled() {
      return hasStalled
    },
    async read() {
      place++
      ;[frame, before] = [before, frame]
      if (!isWhole() && !isOver) await untilWhole()
      if (!isWhole()) return EMPTY_FRAME
      for (const [index, target] of bytesOf(frame).entries()) intakes[index]?.fill(target)
      return frame
    },
    kill,
  }
}

/** In the order of the tracks. */
const bytesOf = ({ picture, audio }: Frame) => [
  ...(picture ? [picture.data] : []),
  ...(audio ? [new Uint8Array(audio.buffer)] : []),
]
